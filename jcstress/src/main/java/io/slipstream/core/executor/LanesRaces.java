package io.slipstream.core.executor;

import java.util.ArrayList;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The lanes of all keys: a key has one lane, whatever happens. It stands in the package of the executor to reach its
 * parts.
 */
public final class LanesRaces {
    private static final Runnable TASK = () -> {};
    private static final Runnable OTHER = () -> {};
    private static final String KEY = "key";

    private LanesRaces() {}

    /** A worker is done with a key and forgets it while a task of that key comes. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "a worker is to come, and the key leads to the task")
    @Outcome(
            expect = Expect.FORBIDDEN,
            desc = "no worker is to come, or the next task of the key gets a lane of its own")
    @State
    @SuppressWarnings("NullAway")
    public static class AdditionBesideForgetting {
        private final KeyLanes lanes;

        /** A key whose only task was withdrawn, so that the worker finds nothing to run; none is kept. */
        public AdditionBesideForgetting() {
            this(new KeyLanes(4, 1, 0));
        }

        AdditionBesideForgetting(KeyLanes lanes) {
            this.lanes = lanes;
            lanes.tryAdd(KEY, TASK);
            lanes.withdrawAll(new ArrayList<>());
        }

        /** Ends its turn. */
        @Actor
        public void worker() {
            lanes.runOne(null);
        }

        /** Adds. */
        @Actor
        public void submitter() {
            lanes.tryAdd(KEY, OTHER);
        }

        /** Looks for the task in both ways. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r1 = lanes.hasReady();
            result.r2 = lanes.replaceFirst(KEY, TASK) == OTHER;
        }
    }

    /** Broken twin: looks whether tasks are left, and then forgets the key. Must be found out. */
    @JCStressTest
    @JCStressMeta(AdditionBesideForgetting.class)
    @State
    public static class BrokenForgetting extends AdditionBesideForgetting {
        /** A key whose only task was withdrawn. */
        public BrokenForgetting() {
            super(new KeyLanes(4, 1, 0) {
                @Override
                boolean mayForget(KeyLane lane) {
                    boolean isIdle = lane.pending == 0;
                    Thread.onSpinWait();
                    return isIdle;
                }
            });
        }

        /** Ends its turn. */
        @Override
        @Actor
        public void worker() {
            super.worker();
        }

        /** Adds. */
        @Override
        @Actor
        public void submitter() {
            super.submitter();
        }

        /** Looks for the task in both ways. */
        @Override
        @Arbiter
        public void rest(ZZ_Result result) {
            super.rest(result);
        }
    }
}
