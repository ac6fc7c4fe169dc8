package io.slipstream.jcstress.thread;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The broken twin of the wake-ups: the same steps without the fences between them. */
@JCStressTest
@Outcome(
        id = {"true, false", "false, true", "true, true"},
        expect = ACCEPTABLE,
        desc = "one of them saw the other")
@Outcome(expect = FORBIDDEN, desc = "a lost wake-up: asleep beside work")
@State
public class BrokenWakeUp {
    private int armed;
    private int work;

    /** Arms and looks once more. */
    @Actor
    public void sleeper(ZZ_Result result) {
        armed = 1;
        result.r1 = work == 1;
    }

    /** Publishes and looks whether to wake. */
    @Actor
    public void waker(ZZ_Result result) {
        work = 1;
        result.r2 = armed == 1;
    }
}
