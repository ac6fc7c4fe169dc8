package io.slipstream.jcstress.thread;

import io.slipstream.core.thread.Sleepers;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Two wakers and two sleepers: each waker wakes another one. */
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "both were woken")
@Outcome(expect = Expect.FORBIDDEN, desc = "one sleeps though it was its turn")
public final class TwoWakes {
    private TwoWakes() {}

    /** By the sleepers of the library. */
    @JCStressTest
    @JCStressMeta(TwoWakes.class)
    @State
    public static class BothAreWoken {
        private final Sleepers sleepers = new Sleepers();

        /** Two places are armed; that it is by one thread does not matter to the wakers. */
        public BothAreWoken() {
            sleepers.arm();
            sleepers.arm();
        }

        /** Wakes one. */
        @Actor
        public void first() {
            sleepers.wakeOne();
        }

        /** Wakes one. */
        @Actor
        public void second() {
            sleepers.wakeOne();
        }

        /** Looks who still sleeps. */
        @Arbiter
        public void rest(Z_Result result) {
            result.r1 = !sleepers.isAnyoneListed();
        }
    }

    /** Broken twin: looks who sleeps, and only then takes it off the list. Must be found out. */
    @JCStressTest
    @JCStressMeta(TwoWakes.class)
    @State
    public static class BrokenWakes {
        private volatile boolean firstSleeps = true;
        private volatile boolean secondSleeps = true;

        private void wakeOne() {
            if (firstSleeps) {
                Thread.onSpinWait();
                firstSleeps = false;
            } else {
                secondSleeps = false;
            }
        }

        /** Wakes one. */
        @Actor
        public void first() {
            wakeOne();
        }

        /** Wakes one. */
        @Actor
        public void second() {
            wakeOne();
        }

        /** Looks who still sleeps. */
        @Arbiter
        public void rest(Z_Result result) {
            result.r1 = !firstSleeps && !secondSleeps;
        }
    }
}
