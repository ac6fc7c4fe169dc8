package io.slipstream.journal;

import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.journal.errors.JournalException;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads that append through one group. That nobody stays asleep whatever the schedule is proved in
 * {@code lincheck}.
 */
public final class GroupCommitRaces {
    private static final WaitStrategy ASLEEP =
            new WaitStrategy(0, 0, WaitStrategy.UNTIL_WOKEN_NANOS, WaitStrategy.UNTIL_WOKEN_NANOS, true);

    private GroupCommitRaces() {}

    /**
     * Who returns sees its record committed, and what one leader did the next one knows, although the log itself gives
     * no order.
     */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "one after the other, or both by one commit")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a sequence given twice, or a record that was not committed")
    @State
    public static class TwoAppenders {
        private final PlainLog log = new PlainLog();
        private final GroupCommit group = new GroupCommit(log, WaitStrategy.yielding(), new Lead());

        /** Appends a record. */
        @Actor
        public void one(II_Result result) {
            result.r1 = log.append(group, 0);
        }

        /** Appends another one. */
        @Actor
        public void other(II_Result result) {
            result.r2 = log.append(group, 1);
        }
    }

    /** The same, asleep instead of looking again. */
    @JCStressTest
    @JCStressMeta(TwoAppenders.class)
    @State
    public static class TwoSleepers {
        private final PlainLog log = new PlainLog();
        private final GroupCommit group = new GroupCommit(log, ASLEEP, new Lead());

        /** Appends a record. */
        @Actor
        public void one(II_Result result) {
            result.r1 = log.append(group, 0);
        }

        /** Appends another one. */
        @Actor
        public void other(II_Result result) {
            result.r2 = log.append(group, 1);
        }
    }

    /** Broken twin: leads without asking whether somebody does. Must be found out. */
    @JCStressTest
    @JCStressMeta(TwoAppenders.class)
    @State
    public static class BrokenLead {
        private final PlainLog log = new PlainLog();
        private final GroupCommit group = new GroupCommit(log, WaitStrategy.yielding(), new Lead() {
            @Override
            boolean take() {
                return true;
            }
        });

        /** Appends a record. */
        @Actor
        public void one(II_Result result) {
            result.r1 = log.append(group, 0);
        }

        /** Appends another one. */
        @Actor
        public void other(II_Result result) {
            result.r2 = log.append(group, 1);
        }
    }

    /** Nothing in it is safe for two threads: only the one that leads may touch it. */
    private static final class PlainLog implements CommitLog {
        private final int[] sequences = new int[2];
        private int last;
        private int committed;

        int append(GroupCommit group, int record) {
            try {
                group.join().append(MemorySegment.NULL, record, 0);
            } catch (JournalException e) {
                throw new IllegalStateException(e);
            }
            int sequence = sequences[record];
            return committed >= sequence ? sequence : -sequence;
        }

        @Override
        public void append(MemorySegment memory, long offset, int bytes) {
            sequences[(int) offset] = ++last;
        }

        @Override
        public void commit() {
            committed = last;
        }
    }
}
