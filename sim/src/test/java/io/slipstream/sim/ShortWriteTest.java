package io.slipstream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.storage.StorageFile;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A device that takes a few bytes at a time, or one. */
class ShortWriteTest {
    private static final int LENGTH = JournalRecord.HEADER_BYTES + 100;
    private static final int RECORDS = 200;

    @Test
    void writesAllWhateverTheDeviceTakesAtATime() throws Exception {
        for (int most : new int[] {1, 2, 7, 509, 513, 4095}) {
            SimulatedDisk disk = new SimulatedDisk();
            SplittableRandom random = new SplittableRandom(most);
            JournalConfig config =
                    JournalConfig.at(Durability.SYNC).withSegmentBytes(16 << 10).withPrepareInBackground(false);
            try (Journal journal = Journal.open(
                    new Twist(new SimulatedStorage(disk, random)) {
                        @Override
                        int write(StorageFile file, ByteBuffer source, long position) throws IOException {
                            int limit = source.limit();
                            source.limit(Math.min(limit, source.position() + most));
                            try {
                                return file.write(source, position);
                            } finally {
                                source.limit(limit);
                            }
                        }
                    },
                    config)) {
                append(journal);
            }
            try (Journal journal = Journal.open(new SimulatedStorage(disk.powerLoss(random), random), config)) {
                long[] due = {1};
                journal.read(1, (memory, offset, length) -> {
                    assertThat(length).isEqualTo(LENGTH);
                    assertThat(memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + LENGTH - Long.BYTES))
                            .isEqualTo(due[0]++);
                });
                assertThat(due[0]).as("with %s bytes at a time", most).isEqualTo(RECORDS + 1);
            }
        }
    }

    private static void append(Journal journal) throws JournalException {
        MemorySegment frame = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);
        for (long i = 1; i <= RECORDS; i++) {
            JournalRecord.header(frame, 0, LENGTH, (short) 1, (byte) 0, (byte) 0);
            frame.set(ValueLayout.JAVA_LONG_UNALIGNED, LENGTH - Long.BYTES, i);
            journal.append(frame, 0, (int) frame.byteSize());
            if (i % 10 == 0) {
                journal.commit();
            }
        }
        journal.commit();
    }
}
