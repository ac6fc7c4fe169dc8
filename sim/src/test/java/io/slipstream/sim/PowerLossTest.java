package io.slipstream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.Tailer;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    /** A first segment that is too short, or has more than a mark without a header, would be refused. */
    @ParameterizedTest
    @EnumSource(Durability.class)
    void beginsAnewWheneverThePowerGoesWhileItIsBeingCreated(Durability durability) throws Exception {
        JournalConfig config = JournalConfig.at(durability)
                .withSegmentBytes(16 << 10)
                .withPreparedSegments(3)
                .withPrepareInBackground(false);
        boolean opened = false;
        for (int step = 1; !opened; step++) {
            SimulatedDisk disk = new SimulatedDisk();
            SimulatedStorage storage = new SimulatedStorage(disk, random);
            storage.crashAt(step);
            opened = opens(storage, config) && !storage.isCrashed();
            for (int i = 0; i < 20; i++) {
                try (Journal journal = Journal.open(new SimulatedStorage(disk.powerLoss(random), random), config)) {
                    assertThat(journal.nextSequence()).isEqualTo(1);
                }
            }
        }
    }

    private static boolean opens(SimulatedStorage storage, JournalConfig config) {
        try {
            Journal.open(storage, config);
            return true;
        } catch (SimulatedCrash | JournalException e) {
            return false;
        }
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

    /** What is before a position is removed only when a loss of power can no longer throw the tailer back behind it. */
    @Test
    void aTailerFindsWhatItNeedsWhateverPositionIsLeftOfIt() throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        JournalConfig process =
                JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 10).withPrepareInBackground(false);
        Journal journal = Journal.open(new SimulatedStorage(disk, random), process);
        Tailer tailer = journal.tailer("behind");
        append(journal, 200, 400);
        journal.commit();
        assertThat(tailer.poll((memory, offset, length) -> {}, 200)).isEqualTo(200);
        tailer.commit();
        journal.trim(200);
        long first = journal.firstSequence();
        assertThat(first).isGreaterThan(1);
        for (int i = 0; i < 50; i++) {
            Journal reopened = Journal.open(new SimulatedStorage(disk.powerLoss(random), random), process);
            long[] due = {Math.min(200, reopened.nextSequence() - 1) + 1};
            assertThat(reopened.tailer("behind")
                            .poll(
                                    (memory, offset, length) -> assertThat(JournalRecord.sequence(memory, offset))
                                            .isEqualTo(due[0]++),
                                    200))
                    .isZero();
        }
    }

    /** The segment that is the first one from now on may just have been begun. */
    @ParameterizedTest
    @EnumSource(Durability.class)
    void canBeOpenedAfterATrimWhateverIsLeft(Durability durability) throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        JournalConfig config =
                JournalConfig.at(durability).withSegmentBytes(16 << 10).withPrepareInBackground(false);
        Journal journal = Journal.open(new SimulatedStorage(disk, random), config);
        for (int i = 0; i < 30; i++) {
            append(journal, 7, 400);
            journal.commit();
            append(journal, 1, 400);
            journal.trim(journal.nextSequence());
            long first = journal.firstSequence();
            for (int k = 0; k < 20; k++) {
                Journal reopened = Journal.open(new SimulatedStorage(disk.powerLoss(random), random), config);
                assertThat(reopened.firstSequence()).isEqualTo(first);
            }
        }
        assertThat(journal.firstSequence()).isGreaterThan(1);
    }

    private int recover(SimulatedDisk disk) throws JournalException {
        Journal journal = Journal.open(new SimulatedStorage(disk, random), CONFIG);
        long[] due = {1};
        journal.read(1, (memory, offset, length) -> {
            assertThat(JournalRecord.sequence(memory, offset)).isEqualTo(due[0]++);
            assertThat(memory.get(ValueLayout.JAVA_BYTE, offset + length - 1)).isEqualTo((byte) 1);
        });
        return (int) due[0] - 1;
    }

    private static void append(Journal journal, int count, int length) throws JournalException {
        MemorySegment memory = Arena.ofAuto().allocate(Frame.align(length), 16).fill((byte) 1);
        for (int i = 0; i < count; i++) {
            JournalRecord.header(memory, 0, length, (short) 1, (byte) 1, (byte) 0);
            journal.append(memory, 0, Frame.align(length));
        }
    }
}
