package io.slipstream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.SnapshotWriter;
import io.slipstream.journal.Tailer;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The disk is full at each creation of a file and each write of a small run in turn, and has room again once the
 * journal has said so. What was acknowledged is there, also after a loss of power, and appending goes on: with the same
 * journal if it has only refused, after opening it again if it has failed.
 */
class FullDiskTest {
    private static final int RECORDS = 40;
    private static final int LENGTH = JournalRecord.HEADER_BYTES + 1000;
    private static final JournalConfig CONFIG = JournalConfig.at(Durability.SYNC)
            .withSegmentBytes(16 << 10)
            .withBatchBytes(4096)
            .withPreparedSegments(1)
            .withSpareSegments(1)
            .withPrepareInBackground(false);

    private final SplittableRandom random = new SplittableRandom(1);
    private final MemorySegment frame = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);
    private SimulatedDisk disk = new SimulatedDisk();
    private long acknowledged;
    private int refusals;
    private int failures;

    /**
     * A disk that is full at one operation and from then on, but for what does not make a file longer, until there is
     * room.
     */
    private static final class FullFrom extends Twist {
        private final int operation;
        private int operations;
        private boolean hasRoom;

        FullFrom(Storage storage, int operation) {
            super(storage);
            this.operation = operation;
        }

        private void count(boolean grows) throws IOException {
            operations++;
            if (operations == operation || operations > operation && grows && !hasRoom) {
                throw new IOException("No space left on device");
            }
        }

        void makeRoom() {
            hasRoom = operations >= operation;
        }

        @Override
        public StorageFile create(String name) throws IOException {
            count(true);
            return super.create(name);
        }

        @Override
        int write(StorageFile file, ByteBuffer source, long position) throws IOException {
            count(position + source.remaining() > file.size());
            return super.write(file, source, position);
        }
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void losesNothingAcknowledgedAndGoesOnWhicheverWriteFindsTheDiskFull(WriteMode mode) throws Exception {
        JournalConfig config = CONFIG.withWriteMode(mode);
        int operations = run(config, Integer.MAX_VALUE);
        assertThat(refusals + failures).isZero();
        assertThat(operations).isGreaterThan(20);
        for (int operation = 1; operation <= operations; operation++) {
            run(config, operation);
        }
        assertThat(refusals).isPositive();
        assertThat(failures).isPositive();
    }

    /**
     * Appends until all records are acknowledged, however often the journal must be opened; returns the number of
     * operations.
     */
    private int run(JournalConfig config, int fullAt) throws Exception {
        disk = new SimulatedDisk();
        acknowledged = 0;
        FullFrom storage = new FullFrom(new SimulatedStorage(disk, random), fullAt);
        String what = "full at operation " + fullAt;
        int openings = 0;
        while (acknowledged < RECORDS) {
            assertThat(++openings).as(what).isLessThan(4);
            Journal journal = open(storage, config);
            if (journal != null) {
                append(journal, storage);
                close(journal, storage);
            }
        }
        try (Journal journal = Journal.open(new SimulatedStorage(disk.powerLoss(random), random), config)) {
            assertThat(journal.nextSequence() - 1).as(what).isEqualTo(RECORDS);
            long[] due = {journal.firstSequence()};
            journal.read(due[0], (memory, offset, length) -> {
                assertThat(JournalRecord.sequence(memory, offset)).isEqualTo(due[0]);
                assertThat(memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + JournalRecord.HEADER_BYTES))
                        .isEqualTo(due[0]++);
            });
            assertThat(due[0]).as(what).isEqualTo(RECORDS + 1L);
        }
        return storage.operations;
    }

    private @Nullable Journal open(FullFrom storage, JournalConfig config) {
        try {
            Journal journal = Journal.open(storage, config);
            assertThat(journal.nextSequence() - 1).isGreaterThanOrEqualTo(acknowledged);
            acknowledged = journal.nextSequence() - 1;
            return journal;
        } catch (JournalException e) {
            failures++;
            storage.makeRoom();
            return null;
        }
    }

    private void append(Journal journal, FullFrom storage) {
        while (acknowledged < RECORDS) {
            long next = journal.nextSequence();
            try {
                JournalRecord.header(frame, 0, LENGTH, (short) 1, (byte) 1, (byte) 0);
                frame.set(ValueLayout.JAVA_LONG_UNALIGNED, JournalRecord.HEADER_BYTES, next);
                journal.append(frame, 0, (int) frame.byteSize());
                journal.commit();
                acknowledged = journal.durableSequence().getAcquire();
                assertThat(acknowledged).isEqualTo(next);
                if (next % 10 == 0) {
                    keepBesides(journal, next);
                }
            } catch (JournalFullException e) {
                refusals++;
                storage.makeRoom();
                assertThat(journal.nextSequence()).isEqualTo(next);
                assertThat(journal.failure()).isNull();
            } catch (JournalFailedException e) {
                failures++;
                storage.makeRoom();
                return;
            } catch (JournalException e) {
                // A snapshot or a position; the records go on.
                assertThat(journal.failure()).isNull();
                storage.makeRoom();
            }
        }
    }

    private static void keepBesides(Journal journal, long sequence) throws JournalException {
        try (SnapshotWriter writer = journal.snapshots().begin(sequence)) {
            MemorySegment state = Arena.ofAuto().allocate(JournalRecord.HEADER_BYTES + 8, Frame.ALIGNMENT);
            JournalRecord.header(state, 0, (int) state.byteSize(), (short) 1, (byte) 1, (byte) 0);
            writer.append(state, 0, (int) state.byteSize());
            writer.commit();
        }
        try (Tailer tailer = journal.tailer("follower")) {
            tailer.poll((_, _, _) -> {}, Integer.MAX_VALUE);
            tailer.commit();
        }
        journal.trim(sequence);
    }

    private void close(Journal journal, FullFrom storage) {
        try {
            journal.close();
        } catch (JournalException e) {
            failures++;
            storage.makeRoom();
        }
    }
}
