package io.slipstream.core.executor;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

import java.util.ArrayList;

/** The races of ordered keys. They stand in the package of the executor to reach its parts. */
public final class LaneRaces {
    private static final Runnable TASK = () -> { };
    private static final Runnable OTHER = () -> { };

    private LaneRaces() {
    }

    /** Two additions to a lane: exactly one of them must hand it to a worker. */
    @JCStressTest
    @Outcome(id = {"1, 0", "0, 1"}, expect = Expect.ACCEPTABLE, desc = "one hands it over")
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
    @Outcome(id = {"1, 0", "0, 1"}, expect = Expect.ACCEPTABLE, desc = "added, or retired and refused")
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
    @Outcome(id = {"true, false", "false, true"}, expect = Expect.ACCEPTABLE, desc = "one hands it over")
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
            lane.withdrawAll(new ArrayList<>(), new Admission(1));
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

    /** A worker takes the only task while another one is put in its place: it gets one of them, and the other one is not run. */
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

        private static int number(Runnable task) {
            return task == null ? 0 : task == TASK ? 1 : 2;
        }

        /** Takes a task to run it. */
        @Actor
        public void worker(III_Result result) {
            result.r1 = number(lane.takePending());
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
                void acquireRight() {
                    // Takes no right.
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

    /** Broken twin: reads the number of tasks, and then changes it. Must be found out. */
    @JCStressTest
    @JCStressMeta(AdditionBesideLastTask.class)
    @State
    public static class BrokenLane extends AdditionBesideLastTask {
        /** One task, which was withdrawn. */
        public BrokenLane() {
            super(new KeyLane("key") {
                @Override
                boolean lower() {
                    long left = pending - 1;
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
