package io.slipstream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.Snapshot;
import io.slipstream.journal.SnapshotWriter;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.sim.storage.SimulatedCrash;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A snapshot is there as a whole or not at all, and the one before it stays, whatever step of it the power fails at.
 */
class SnapshotCrashTest {
    private static final int LENGTH = JournalRecord.HEADER_BYTES + Long.BYTES;
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.SYNC).withSegmentBytes(16 << 10).withPrepareInBackground(false);

    private final SplittableRandom random = new SplittableRandom(3);
    private final MemorySegment frame = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);

    @Test
    void leavesTheNewOneOrTheOneBeforeAtEachStep() throws Exception {
        boolean isDone = false;
        int steps = 0;
        while (!isDone) {
            steps++;
            SimulatedDisk disk = new SimulatedDisk();
            SimulatedStorage storage = new SimulatedStorage(disk, random);
            Journal journal = Journal.open(storage, CONFIG);
            take(journal, appended(journal));
            take(journal, appended(journal));
            long last = appended(journal);
            storage.crashAt(storage.operations() + steps);
            try {
                take(journal, last);
                isDone = true;
            } catch (SimulatedCrash | JournalException e) {
                assertThat(storage.isCrashed()).isTrue();
                assertThat(steps).isLessThan(100);
            }
            for (int i = 0; i < 40; i++) {
                check(i % 2 == 0 ? disk.powerLoss(random) : disk.kill(random), isDone);
            }
        }
        assertThat(steps)
                .as("of writing, forcing, renaming, syncing, and removing the oldest")
                .isGreaterThan(6);
    }

    private void check(SimulatedDisk crashed, boolean isDone) throws JournalException {
        try (Journal journal = Journal.open(new SimulatedStorage(crashed, random), CONFIG)) {
            Snapshot newest = journal.snapshots().newest().orElseThrow();
            assertThat(newest.sequence()).isIn(isDone ? new Object[] {3L} : new Object[] {2L, 3L});
            newest.read((memory, offset, length) -> assertThat(
                            memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + JournalRecord.HEADER_BYTES))
                    .isEqualTo(newest.sequence()));
            assertThat(journal.snapshots().valid()).as("the one before is kept").hasSizeGreaterThanOrEqualTo(2);
        }
    }

    private long appended(Journal journal) throws JournalException {
        write(7);
        journal.append(frame, 0, (int) frame.byteSize());
        journal.commit();
        return journal.nextSequence() - 1;
    }

    private void take(Journal journal, long sequence) throws JournalException {
        try (SnapshotWriter writer = journal.snapshots().begin(sequence)) {
            write(sequence);
            writer.append(frame, 0, (int) frame.byteSize());
            writer.commit();
        }
    }

    private void write(long content) {
        JournalRecord.header(frame, 0, LENGTH, (short) 1, (byte) 0, (byte) 0);
        frame.set(ValueLayout.JAVA_LONG_UNALIGNED, JournalRecord.HEADER_BYTES, content);
    }
}
