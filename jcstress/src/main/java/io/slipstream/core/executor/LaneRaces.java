package io.slipstream.core.executor;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The races of ordered keys. They stand in the package of the executor to reach its parts. */
public final class LaneRaces {
    private static final Runnable TASK = () -> { };

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
        private final KeyLane lane = new KeyLane("key");

        /** One task, which was withdrawn, so that the worker finds nothing to run. */
        public AdditionBesideLastTask() {
            lane.add(TASK);
            lane.withdrawFirst();
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

    /** Broken twin: reads the number of tasks, and then changes it. Must be found out. */
    @JCStressTest
    @JCStressMeta(AdditionBesideLastTask.class)
    @State
    public static class BrokenLane {
        private volatile int pending = 1;

        /** Ends its turn; says whether it hands the lane over. */
        @Actor
        public void worker(ZZ_Result result) {
            int count = pending;
            pending = count - 1;
            result.r1 = count != 1;
        }

        /** Adds; says whether it hands the lane over. */
        @Actor
        public void submitter(ZZ_Result result) {
            int count = pending;
            pending = count + 1;
            result.r2 = count == 0;
        }
    }
}
