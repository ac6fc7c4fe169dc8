package io.slipstream.jcstress.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The broken twin of the claims: a read and a write instead of a compare-and-set. */
@JCStressTest
@Outcome(
        id = {"0, 1, -1", "1, 0, -1"},
        expect = ACCEPTABLE,
        desc = "each has its own")
@Outcome(expect = FORBIDDEN, desc = "the same event twice")
@State
public class BrokenClaims {
    private volatile int tail;

    /** Claims. */
    @Actor
    public void first(III_Result result) {
        int mine = tail;
        tail = mine + 1;
        result.r1 = mine;
    }

    /** Claims. */
    @Actor
    public void second(III_Result result) {
        int mine = tail;
        tail = mine + 1;
        result.r2 = mine;
    }

    /** Claims once more, where there is room for two. */
    @Arbiter
    public void third(III_Result result) {
        result.r3 = tail < 2 ? tail : -1;
    }
}
