package io.slipstream.jcstress.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

/** The broken twin of the claims: a read and a write instead of a compare-and-set. */
@JCStressTest
@Outcome(id = {"0, 1", "1, 0"}, expect = ACCEPTABLE, desc = "each has its own")
@Outcome(expect = FORBIDDEN, desc = "the same event twice")
@State
public class BrokenClaims {
    private volatile int tail;

    /** Claims. */
    @Actor
    public void first(II_Result result) {
        int mine = tail;
        tail = mine + 1;
        result.r1 = mine;
    }

    /** Claims. */
    @Actor
    public void second(II_Result result) {
        int mine = tail;
        tail = mine + 1;
        result.r2 = mine;
    }
}
