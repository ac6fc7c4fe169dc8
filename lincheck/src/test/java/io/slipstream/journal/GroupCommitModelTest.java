package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.journal.errors.JournalException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Threads that append through one group, whatever the schedule: each record gets the sequence that is due at one moment
 * between the call and the return of its append, it is committed by then, and nobody is left asleep.
 */
class GroupCommitModelTest {
    private static final int ITERATIONS = Integer.getInteger("slipstream.model.iterations", 2);
    /* The checker stops at the first scenario that fails, so a twin may have as many as it needs. */
    private static final int MOST_FOR_A_TWIN = 100;

    /** Sleeps at once, so that each append depends on being woken; the checker reports who is never woken. */
    private static final WaitStrategy ASLEEP =
            new WaitStrategy(0, 0, WaitStrategy.UNTIL_WOKEN_NANOS, WaitStrategy.UNTIL_WOKEN_NANOS, true);

    private static ModelCheckingOptions options(int threads) {
        return new ModelCheckingOptions()
                .iterations(ITERATIONS)
                .invocationsPerIteration(300)
                .threads(threads)
                .actorsBefore(0)
                .actorsPerThread(2)
                .actorsAfter(1)
                .minimizeFailedScenario(false)
                .sequentialSpecification(OneByOne.class);
    }

    @Test
    void appendsGetTheirSequencesAtOneMomentAndNobodyStaysAsleep() {
        options(2).check(Appends.class);
    }

    @Test
    void soDoThreeThreads() {
        options(3).check(Appends.class);
    }

    @Test
    void theCheckerFindsAGroupInWhichEverybodyLeads() {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> options(2).iterations(MOST_FOR_A_TWIN).check(EverybodyLeads.class));
    }

    @Test
    void theCheckerFindsALeadThatIsNotHandedOver() {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> options(2).iterations(MOST_FOR_A_TWIN).check(NobodyIsTold.class));
    }

    /** The group as it is. */
    public static class Appends {
        private final PlainLog log = new PlainLog();
        private final AtomicInteger records = new AtomicInteger();
        private final GroupCommit group;

        /** Creates the group. */
        public Appends() {
            group = group(log);
        }

        GroupCommit group(CommitLog target) {
            return new GroupCommit(target, ASLEEP, new Lead());
        }

        /** Appends; returns the record's sequence, negative if it is not committed when the append returns. */
        @Operation
        public int append() throws JournalException {
            int record = records.getAndIncrement();
            group.join(new Bed()).append(MemorySegment.NULL, record, 0);
            return log.sequence(record);
        }
    }

    /** Broken: leads without asking whether somebody does. */
    public static class EverybodyLeads extends Appends {
        @Override
        GroupCommit group(CommitLog target) {
            return new GroupCommit(target, ASLEEP, new Lead() {
                @Override
                boolean take() {
                    return true;
                }
            });
        }
    }

    /** Broken: who has come during a commit is not told that it is over. */
    public static class NobodyIsTold extends Appends {
        @Override
        GroupCommit group(CommitLog target) {
            return new GroupCommit(target, ASLEEP, new Lead() {
                @Override
                void handOver(GroupCommit.Member next) {
                    // Whoever came meanwhile sleeps on.
                }
            });
        }
    }

    /** One call at a time. */
    public static class OneByOne {
        private int last;

        /** Appends. */
        public int append() {
            return ++last;
        }
    }

    /** A place to sleep that nobody leaves without being woken; the checker lets whoever parks wake up by chance. */
    private static final class Bed extends Signal {
        private boolean isWoken;

        @Override
        protected synchronized void await(long nanos) {
            while (!isWoken) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            isWoken = false;
        }

        @Override
        protected synchronized void interruptSleep(Thread thread) {
            isWoken = true;
            notifyAll();
        }
    }

    /** Nothing in it is safe for two threads: only the one that leads may touch it. */
    private static final class PlainLog implements CommitLog {
        private final int[] sequences = new int[16];
        private int last;
        private int committed;

        @Override
        public void append(MemorySegment memory, long offset, int bytes) {
            int sequence = last + 1;
            sequences[(int) offset] = sequence;
            last = sequence;
        }

        @Override
        public void commit() {
            committed = last;
        }

        int sequence(int record) {
            int sequence = sequences[record];
            return committed >= sequence ? sequence : -sequence;
        }
    }
}
