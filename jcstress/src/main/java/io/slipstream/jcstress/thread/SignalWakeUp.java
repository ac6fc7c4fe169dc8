package io.slipstream.jcstress.thread;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.slipstream.core.thread.Signal;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Either the sleeper sees the work on its second look, or the waker sees the armed signal: no wake-up is lost. */
@JCStressTest
@Outcome(
        id = {"true, false", "false, true", "true, true"},
        expect = ACCEPTABLE,
        desc = "one of them saw the other")
@Outcome(expect = FORBIDDEN, desc = "a lost wake-up: asleep beside work")
@State
public class SignalWakeUp {
    private final Woken signal = new Woken();
    private int work;

    private static final class Woken extends Signal {
        private boolean woken;

        @Override
        protected void interruptSleep(Thread thread) {
            woken = true;
        }
    }

    /** Arms and looks once more; plain, because the signal has to give the order. */
    @Actor
    public void sleeper(ZZ_Result result) {
        signal.arm();
        result.r1 = work == 1;
    }

    /** Publishes and wakes. */
    @Actor
    public void waker(ZZ_Result result) {
        work = 1;
        signal.wake();
        result.r2 = signal.woken;
    }
}
