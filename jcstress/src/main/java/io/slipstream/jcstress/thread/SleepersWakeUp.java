package io.slipstream.jcstress.thread;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.slipstream.core.thread.Sleepers;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The same for the place where many threads sleep: a sleeper that saw no work is no longer listed when the waker is
 * done.
 */
@JCStressTest
@Outcome(
        id = {"true, false", "false, true", "true, true"},
        expect = ACCEPTABLE,
        desc = "one of them saw the other")
@Outcome(expect = FORBIDDEN, desc = "a lost wake-up: asleep beside work")
@State
public class SleepersWakeUp {
    private final Sleepers sleepers = new Sleepers();
    private int work;

    /** Arms and looks once more; plain, because the sleepers have to give the order. */
    @Actor
    public void sleeper(ZZ_Result result) {
        sleepers.arm();
        result.r1 = work == 1;
    }

    /** Publishes and wakes. */
    @Actor
    public void waker() {
        work = 1;
        sleepers.wakeAll();
    }

    /** Sees whether the waker has taken the sleeper off the list. */
    @Arbiter
    public void arbiter(ZZ_Result result) {
        result.r2 = !sleepers.isAnyoneListed();
    }
}
