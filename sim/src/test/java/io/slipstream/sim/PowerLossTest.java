package io.slipstream.sim;

import io.slipstream.core.ring.Frame;
import io.slipstream.journal.Durability;
import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalConfig;
import io.slipstream.journal.JournalException;
import io.slipstream.journal.Record;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class PowerLossTest {
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.SYNC).withSegmentBytes(32 << 10).withPrepareInBackground(false);

    private final SplittableRandom random = new SplittableRandom(1);

    /** The last batch was written and not forced: each of its eight sectors may be there or not. */
    @Test
    void findsAnExactPrefixInEveryStateThatTheLastBatchMayBeIn() throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        SimulatedStorage storage = new SimulatedStorage(disk, random);
        Journal journal = Journal.open(storage, CONFIG);
        append(journal, 3, 100);
        journal.commit();
        append(journal, 10, 400);
        journal.flush();
        int states = 0;
        boolean[] seen = new boolean[14];
        for (SimulatedDisk crashed : disk.powerLosses(1 << 16, random)) {
            int found = recover(crashed);
            assertThat(found).isBetween(3, 13);
            seen[found] = true;
            states++;
        }
        assertThat(states).isEqualTo(256);
        assertThat(seen).endsWith(true).contains(false);
    }

    @Test
    void losesNothingWhenTwoCrashesFollowEachOther() throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        Journal journal = Journal.open(new SimulatedStorage(disk, random), CONFIG);
        append(journal, 5, 300);
        journal.commit();
        append(journal, 5, 700);
        journal.flush();
        for (int i = 0; i < 300; i++) {
            SimulatedDisk first = disk.powerLoss(random);
            Journal reopened = Journal.open(new SimulatedStorage(first, random), CONFIG);
            long found = reopened.nextSequence() - 1;
            append(reopened, 2, 500);
            reopened.flush();
            assertThat((long) recover(first.powerLoss(random))).isBetween(found, found + 2);
        }
    }

    private int recover(SimulatedDisk disk) throws JournalException {
        Journal journal = Journal.open(new SimulatedStorage(disk, random), CONFIG);
        long[] due = {1};
        journal.read(1, (memory, offset, length) -> {
            assertThat(Record.sequence(memory, offset)).isEqualTo(due[0]++);
            assertThat(memory.get(ValueLayout.JAVA_BYTE, offset + length - 1)).isEqualTo((byte) 1);
        });
        return (int) due[0] - 1;
    }

    private static void append(Journal journal, int count, int length) throws JournalException {
        MemorySegment memory = Arena.ofAuto().allocate(Frame.align(length), 16).fill((byte) 1);
        for (int i = 0; i < count; i++) {
            Record.header(memory, 0, length, (short) 1, (byte) 1, (byte) 0);
            journal.append(memory, 0, Frame.align(length));
        }
    }
}
