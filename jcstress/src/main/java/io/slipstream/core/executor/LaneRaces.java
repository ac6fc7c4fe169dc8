package io.slipstream.core.executor;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The races of ordered keys. They stand in the package of the executor to reach its parts. */
public final class LaneRaces {
    private static final Runnable TASK = () -> {};
    private static final Runnable OTHER = () -> {};

    private LaneRaces() {}

    @SuppressWarnings("NullAway")
    private static int number(Runnable task) {
        return task == null ? 0 : task == TASK ? 1 : 2;
    }

    /** Two additions to a lane: exactly one of them must hand it to a worker. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "one hands it over")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the lane is with two workers, or with none")
    @State
    public static class TwoAdditionsToALane {
        private final KeyLane lane = new KeyLane("key");

        /** Adds. */
        @Actor
        public void first(II_Result result) {
            result.r1 = lane.add(TASK) == KeyLane.Added.FIRST ? 1 : 0;
        }

        /** Adds. */
        @Actor
        public void second(II_Result result) {
            result.r2 = lane.add(TASK) == KeyLane.Added.FIRST ? 1 : 0;
        }
    }

    /** An addition to a lane that is being retired. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "added, or retired and refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a task in a lane that nobody looks at")
    @State
    public static class AdditionBesideRetirement {
        private final KeyLane lane = new KeyLane("key");

        /** Adds. */
        @Actor
        public void submitter(II_Result result) {
            result.r1 = lane.add(TASK) == KeyLane.Added.RETIRED ? 0 : 1;
        }

        /** Retires. */
        @Actor
        public void worker(II_Result result) {
            result.r2 = lane.retire() ? 1 : 0;
        }
    }

    /** An addition to a lane whose last task is being done: one of the two hands it to a worker again. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = Expect.ACCEPTABLE,
            desc = "one hands it over")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the lane is with two workers, or with none")
    @State
    public static class AdditionBesideLastTask {
        private final KeyLane lane;

        /** One task, which was withdrawn, so that the worker finds nothing to run. */
        public AdditionBesideLastTask() {
            this(new KeyLane("key"));
        }

        AdditionBesideLastTask(KeyLane lane) {
            this.lane = lane;
            lane.add(TASK);
            lane.withdrawAll(new ArrayList<>(), new PlaceCount(1));
        }

        /** Ends its turn; says whether it hands the lane over. */
        @Actor
        @SuppressWarnings("NullAway")
        public void worker(ZZ_Result result) {
            result.r1 = lane.run(null, null, 1);
        }

        /** Adds; says whether it hands the lane over. */
        @Actor
        public void submitter(ZZ_Result result) {
            result.r2 = lane.add(TASK) == KeyLane.Added.FIRST;
        }
    }

    /**
     * A worker takes the only task while another one is put in its place: it gets one of them, and the other one is not
     * run.
     */
    @JCStressTest
    @Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "it was begun, and not replaced")
    @Outcome(id = "2, 1, 0", expect = Expect.ACCEPTABLE, desc = "it was replaced, and the new one was begun")
    @Outcome(expect = Expect.FORBIDDEN, desc = "begun and dropped, or neither, or refused and there")
    @State
    @SuppressWarnings("NullAway")
    public static class ReplacementBesideBegin {
        private final KeyLane lane;

        /** One task. */
        public ReplacementBesideBegin() {
            this(new KeyLane("key"));
        }

        ReplacementBesideBegin(KeyLane lane) {
            this.lane = lane;
            lane.add(TASK);
        }

        /** Takes a task to run it. */
        @Actor
        public void worker(III_Result result) {
            result.r1 = number(lane.takePending().takeTask());
        }

        /** Replaces it. */
        @Actor
        public void submitter(III_Result result) {
            result.r2 = number(lane.replaceFirst(OTHER));
        }

        /** Looks whether one is left. */
        @Arbiter
        public void rest(III_Result result) {
            result.r3 = number(lane.replaceFirst(TASK));
        }
    }

    /** Broken twin: whoever comes changes the front. Must be found out. */
    @JCStressTest
    @JCStressMeta(ReplacementBesideBegin.class)
    @State
    public static class BrokenReplacement extends ReplacementBesideBegin {
        /** One task. */
        public BrokenReplacement() {
            super(new KeyLane("key") {
                @Override
                boolean moveHead(Link from, Link to) {
                    head = to;
                    return true;
                }
            });
        }

        /** Takes a task to run it. */
        @Override
        @Actor
        public void worker(III_Result result) {
            super.worker(result);
        }

        /** Replaces it. */
        @Override
        @Actor
        public void submitter(III_Result result) {
            super.submitter(result);
        }

        /** Looks whether one is left. */
        @Override
        @Arbiter
        public void rest(III_Result result) {
            super.rest(result);
        }
    }

    /**
     * A worker takes two tasks while all are taken back: each is taken once, and the second one is not begun when the
     * first one was taken back.
     */
    @JCStressTest
    @Outcome(id = "1, 2, 0, 0", expect = Expect.ACCEPTABLE, desc = "both were begun")
    @Outcome(
            id = "1, 0, 2, 0",
            expect = Expect.ACCEPTABLE,
            desc = "the first one was begun, and the second one was taken back")
    @Outcome(id = "0, 0, 12, 0", expect = Expect.ACCEPTABLE, desc = "both were taken back")
    @Outcome(
            expect = Expect.FORBIDDEN,
            desc = "taken twice or never, or begun behind one that was taken back, or still counted")
    @State
    @SuppressWarnings("NullAway")
    public static class WithdrawalBesideTake {
        private final KeyLane lane;

        /** Two tasks. */
        public WithdrawalBesideTake() {
            this(new KeyLane("key"));
        }

        WithdrawalBesideTake(KeyLane lane) {
            this.lane = lane;
            lane.add(TASK);
            lane.add(OTHER);
        }

        /** Takes tasks as long as some are pending. */
        @Actor
        public void worker(IIII_Result result) {
            KeyLane.Link first = lane.takePending();
            result.r1 = number(first.takeTask());
            if (!lane.lower(first.count)) {
                KeyLane.Link second = lane.takePending();
                result.r2 = number(second.takeTask());
                lane.lower(second.count);
            }
        }

        /** Takes all back, and writes their numbers side by side. */
        @Actor
        public void stopper(IIII_Result result) {
            List<Runnable> tasks = new ArrayList<>();
            lane.withdrawAll(tasks, new PlaceCount(2));
            for (Runnable task : tasks) {
                result.r3 = 10 * result.r3 + number(task);
            }
        }

        /** Looks whether the worker was done with the lane. */
        @Arbiter
        public void rest(IIII_Result result) {
            result.r4 = (int) lane.pending;
        }
    }

    /** Broken twin: takes one task back after the other. Must be found out. */
    @JCStressTest
    @JCStressMeta(WithdrawalBesideTake.class)
    @State
    @SuppressWarnings("NullAway")
    public static class BrokenWithdrawal extends WithdrawalBesideTake {
        /** Two tasks. */
        public BrokenWithdrawal() {
            super(new KeyLane("key") {
                @Override
                void withdrawAll(List<Runnable> target, PlaceCount places) {
                    for (Runnable task = replaceFirst(null); task != null; task = replaceFirst(null)) {
                        target.add(task);
                    }
                }
            });
        }

        /** Takes tasks as long as some are pending. */
        @Override
        @Actor
        public void worker(IIII_Result result) {
            super.worker(result);
        }

        /** Takes all back. */
        @Override
        @Actor
        public void stopper(IIII_Result result) {
            super.stopper(result);
        }

        /** Looks whether the worker was done with the lane. */
        @Override
        @Arbiter
        public void rest(IIII_Result result) {
            super.rest(result);
        }
    }

    /**
     * The only task is replaced while all are taken back: each of the two is there once, and the lane still counts one.
     */
    @JCStressTest
    @Outcome(id = "1, 2, 0", expect = Expect.ACCEPTABLE, desc = "it was replaced, and the new one was taken back")
    @Outcome(
            id = "1, 0, 2",
            expect = Expect.ACCEPTABLE,
            desc = "it was replaced, and the new one came after the withdrawal")
    @Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "it was taken back, and not replaced")
    @Outcome(expect = Expect.FORBIDDEN, desc = "taken twice or never, or refused and there")
    @State
    @SuppressWarnings("NullAway")
    public static class ReplacementBesideWithdrawal {
        private final KeyLane lane = new KeyLane("key");

        /** One task. */
        public ReplacementBesideWithdrawal() {
            lane.add(TASK);
        }

        /** Replaces it. */
        @Actor
        public void submitter(III_Result result) {
            result.r1 = number(lane.replaceFirst(OTHER));
        }

        /** Takes all back. */
        @Actor
        public void stopper(III_Result result) {
            List<Runnable> tasks = new ArrayList<>();
            lane.withdrawAll(tasks, new PlaceCount(1));
            for (Runnable task : tasks) {
                result.r2 = 10 * result.r2 + number(task);
            }
        }

        /** Takes the one that is pending still, as a worker does. */
        @Arbiter
        public void rest(III_Result result) {
            KeyLane.Link left = lane.takePending();
            result.r3 = lane.lower(left.count) ? number(left.takeTask()) : -1;
        }
    }

    /** Broken twin: reads the number of tasks, and then changes it. Must be found out. */
    @JCStressTest
    @JCStressMeta(AdditionBesideLastTask.class)
    @State
    public static class BrokenLane extends AdditionBesideLastTask {
        /** One task, which was withdrawn. */
        public BrokenLane() {
            super(new KeyLane("key") {
                @Override
                boolean lower(int count) {
                    long left = pending - count;
                    Thread.onSpinWait();
                    pending = left;
                    return left == 0;
                }
            });
        }

        /** Ends its turn. */
        @Override
        @Actor
        public void worker(ZZ_Result result) {
            super.worker(result);
        }

        /** Adds. */
        @Override
        @Actor
        public void submitter(ZZ_Result result) {
            super.submitter(result);
        }
    }
}
