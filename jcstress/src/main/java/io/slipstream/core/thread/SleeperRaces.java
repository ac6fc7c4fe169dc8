package io.slipstream.core.thread;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A thread that goes to sleep beside wakers, while another one sleeps. It stands in the package of the sleepers to
 * reach their parts.
 */
public final class SleeperRaces {
    private SleeperRaces() {}

    /** Two wakes in a row, for whoever is listed first and for the other one. */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "the one that sleeps was woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it was passed over")
    @State
    public static class ArmBesideWakes {
        final Sleepers sleepers = new Sleepers();
        private final Sleepers.Place asleep;

        /** The first place is free, and somebody sleeps at the second. */
        public ArmBesideWakes() {
            Sleepers.Place first = sleepers.arm();
            asleep = sleepers.arm();
            first.disarm();
        }

        /** Goes to sleep. */
        @Actor
        public void sleeper() {
            sleepers.arm();
        }

        /** Wakes two. */
        @Actor
        public void waker() {
            sleepers.wakeOne();
            sleepers.wakeOne();
        }

        /** Looks who still sleeps. */
        @Arbiter
        public void rest(Z_Result result) {
            result.r1 = asleep.isListed();
        }
    }

    /** Broken twin: a thread is listed before it is counted, and held up in between. Must be found out. */
    @JCStressTest
    @JCStressMeta(ArmBesideWakes.class)
    @State
    public static class BrokenArm extends ArmBesideWakes {
        /** Goes to sleep. */
        @Override
        @Actor
        public void sleeper() {
            sleepers.list();
            Thread.onSpinWait();
            sleepers.count(1);
        }

        /** Wakes two. */
        @Override
        @Actor
        public void waker() {
            super.waker();
        }

        /** Looks who still sleeps. */
        @Override
        @Arbiter
        public void rest(Z_Result result) {
            super.rest(result);
        }
    }
}
