package io.slipstream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import io.slipstream.sim.storage.SimulatedCrash;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Below SYNC a record that is to be skipped may not be on the device yet when somebody says so. */
class SkipCrashTest {
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 10).withPrepareInBackground(false);
    private static final int RECORDS = 30;
    private static final int LENGTH = JournalRecord.HEADER_BYTES + 800;
    private static final long OTHERS = 1000;

    private final SplittableRandom random = new SplittableRandom(11);
    private final MemorySegment frame = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);

    @Test
    void aLossOfPowerLeavesNoSkipOfAnotherRecord() throws Exception {
        boolean isDone = false;
        for (int steps = 1; !isDone; steps++) {
            SimulatedDisk disk = new SimulatedDisk();
            append(Journal.open(new SimulatedStorage(disk, random), CONFIG), 1);
            SimulatedDisk killed = disk.kill(random);
            isDone = skip(killed, RECORDS, steps);
            for (int i = 0; i < 40; i++) {
                check(killed.powerLoss(random), isDone);
            }
            assertThat(steps).isLessThan(100);
        }
    }

    /** Returns whether the power held. */
    private boolean skip(SimulatedDisk disk, long sequence, int steps) throws IOException {
        SimulatedStorage storage = new SimulatedStorage(disk, random);
        storage.crashAt(steps);
        Report report =
                new Report(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8), false);
        try (JournalTool tool = new JournalTool(storage, report, List.of())) {
            tool.skip(sequence);
            return true;
        } catch (SimulatedCrash e) {
            return false;
        }
    }

    private void check(SimulatedDisk crashed, boolean isDone) throws JournalException {
        try (Journal journal = Journal.open(new SimulatedStorage(crashed, random), CONFIG)) {
            append(journal, OTHERS);
            if (isDone) {
                assertThat(journal.skips().sequences()).containsExactly(RECORDS);
            }
            for (long skipped : journal.skips().sequences()) {
                journal.read(skipped, (memory, offset, length) -> {
                    if (JournalRecord.sequence(memory, offset) == skipped) {
                        assertThat(memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + JournalRecord.HEADER_BYTES))
                                .isEqualTo(skipped);
                    }
                });
            }
        }
    }

    private void append(Journal journal, long first) throws JournalException {
        for (long id = first; id < first + RECORDS; id++) {
            JournalRecord.header(frame, 0, LENGTH, (short) 1, (byte) 1, (byte) 0);
            frame.set(ValueLayout.JAVA_LONG_UNALIGNED, JournalRecord.HEADER_BYTES, id);
            journal.append(frame, 0, (int) frame.byteSize());
            journal.commit();
        }
    }
}
