package io.slipstream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import io.slipstream.sim.journal.BrokenPromise;
import io.slipstream.sim.journal.JournalSimulation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation is worth something only if it catches a journal that does not keep its promises. */
class BrokenTwinTest {
    private static final int RUNS = 600;

    @Test
    void catchesAJournalThatSkipsTheForce() {
        assertThat(brokenPromises(
                        storage -> new Twist(storage) {
                            @Override
                            void force(StorageFile file) {}
                        },
                        false))
                .isPositive();
    }

    @ParameterizedTest
    @EnumSource(
            value = WriteMode.class,
            names = {"BUFFERED", "MAPPED"})
    void catchesAJournalThatSkipsTheForceOfOneWayOfWriting(WriteMode mode) {
        assertThat(brokenPromises(
                        storage -> new Twist(storage) {
                            @Override
                            void force(StorageFile file) {}
                        },
                        false,
                        mode))
                .isPositive();
    }

    @ParameterizedTest
    @EnumSource(
            value = WriteMode.class,
            names = {"DSYNC", "DIRECT"})
    void catchesAJournalWhoseWritesAreNotForcedAlthoughItWasAskedFor(WriteMode mode) {
        assertThat(brokenPromises(
                        storage -> new Twist(storage) {
                            @Override
                            public StorageFile open(String name, WriteMode asked) throws IOException {
                                return new Twist(this) {
                                    @Override
                                    void force(StorageFile file) {}
                                }.open(name);
                            }
                        },
                        false,
                        mode))
                .isPositive();
    }

    @Test
    void catchesAJournalThatForgetsToSyncTheFolder() {
        assertThat(brokenPromises(
                        storage -> new Twist(storage) {
                            @Override
                            public void syncDirectory() {}
                        },
                        false))
                .isPositive();
    }

    @Test
    void catchesAJournalThatAcknowledgesEarly() {
        assertThat(brokenPromises(storage -> storage, true)).isPositive();
    }

    @Test
    void catchesAJournalThatDoesNotHeedAFailedForce() {
        assertThat(brokenPromises(
                        storage -> new Twist(storage) {
                            @Override
                            void force(StorageFile file) throws IOException {
                                try {
                                    file.force();
                                } catch (IOException e) {
                                    file.force();
                                }
                            }
                        },
                        false))
                .isPositive();
    }

    @Test
    void catchesAJournalThatTakesAShortWriteForAWholeOne() {
        assertThat(brokenPromises(
                        storage -> new Twist(storage) {
                            @Override
                            int write(StorageFile file, ByteBuffer source, long position) throws IOException {
                                int all = source.remaining();
                                file.write(source, position);
                                source.position(source.limit());
                                return all;
                            }
                        },
                        false))
                .isPositive();
    }

    @Test
    void catchesAJournalThatIgnoresAChecksum() {
        assertThat(brokenPromises(
                        storage -> new Twist(storage) {
                            @Override
                            int read(StorageFile file, ByteBuffer target, long position) throws IOException {
                                int start = target.position();
                                int count = file.read(target, position);
                                for (int at = start + (int) (-position & Frame.ALIGNMENT - 1);
                                        at + JournalRecord.HEADER_BYTES <= target.position();
                                        at += Frame.ALIGNMENT) {
                                    makeChecksumRight(target, at);
                                }
                                return count;
                            }
                        },
                        false))
                .isPositive();
    }

    private static void makeChecksumRight(ByteBuffer buffer, int at) {
        ByteBuffer copy = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int length = copy.getInt(at);
        if (length >= JournalRecord.HEADER_BYTES
                && Frame.align(length) <= buffer.position() - at
                && copy.getShort(at + JournalRecord.TYPE_OFFSET) == 1
                && copy.get(at + JournalRecord.VERSION_OFFSET) == 1) {
            CRC32C crc = new CRC32C();
            crc.update(copy.duplicate().limit(at + Frame.align(length)).position(at + JournalRecord.TYPE_OFFSET));
            copy.putInt(at + Frame.TAG_OFFSET, (int) crc.getValue() ^ length * 0x9E3779B9);
        }
    }

    private static int brokenPromises(UnaryOperator<Storage> twist, boolean acknowledgeEarly, WriteMode... modes) {
        int broken = 0;
        for (long seed = 1; seed <= RUNS && broken < 3; seed++) {
            try {
                JournalSimulation simulation = new JournalSimulation(seed, twist, acknowledgeEarly);
                (modes.length == 0 ? simulation : simulation.withWriteModes(modes)).run();
            } catch (BrokenPromise e) {
                broken++;
            }
        }
        return broken;
    }
}
