package io.slipstream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.Tailer;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Below SYNC a loss of power takes records away and may leave the position of a tailer that has seen them. */
class LostTailTest {
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 10).withPrepareInBackground(false);
    private static final int RUNS = 100;
    private static final int LIVES = 6;
    private static final int LENGTH = JournalRecord.HEADER_BYTES + Long.BYTES;

    private final MemorySegment frame = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);
    private long lastId;

    @Test
    void aTailerHasSeenEveryRecordThatItsPositionHasPassed() throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int broughtBack = 0;
        for (int run = 0; run < RUNS; run++) {
            SimulatedDisk disk = new SimulatedDisk();
            Set<Long> seen = new HashSet<>();
            for (int life = 0; life < LIVES; life++) {
                Journal journal = Journal.open(new SimulatedStorage(disk, random), CONFIG);
                broughtBack += journal.recovery().ahead().size();
                Tailer tailer = journal.tailer("follower");
                long passed = tailer.committedSequence();
                String what = "seed " + seed + ", run " + run + ", life " + life;
                assertThat(passed)
                        .as(what)
                        .isLessThanOrEqualTo(journal.recovery().lastSequence());
                journal.read(1, (memory, offset, length) -> {
                    if (JournalRecord.sequence(memory, offset) <= passed) {
                        assertThat(seen).as(what).contains(id(memory, offset));
                    }
                });
                use(journal, tailer, seen, random);
                disk = disk.powerLoss(random);
            }
        }
        assertThat(broughtBack).as("seed %d", seed).isPositive();
    }

    private void use(Journal journal, Tailer tailer, Set<Long> seen, SplittableRandom random) throws JournalException {
        for (int i = random.nextInt(30); i > 0; i--) {
            JournalRecord.header(frame, 0, LENGTH, (short) 1, (byte) 1, (byte) 0);
            frame.set(ValueLayout.JAVA_LONG_UNALIGNED, JournalRecord.HEADER_BYTES, ++lastId);
            journal.append(frame, 0, (int) frame.byteSize());
            journal.commit();
            if (random.nextInt(4) == 0) {
                tailer.poll((memory, offset, length) -> seen.add(id(memory, offset)), 1 + random.nextInt(10));
                tailer.commit();
            }
        }
    }

    private static long id(MemorySegment memory, long offset) {
        return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + JournalRecord.HEADER_BYTES);
    }
}
