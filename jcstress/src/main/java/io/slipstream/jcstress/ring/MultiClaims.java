package io.slipstream.jcstress.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.slipstream.core.ring.RingBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two publishers never get the same event, and the third claim on a ring of two is refused. */
@JCStressTest
@Outcome(
        id = {"0, 1, -1", "1, 0, -1"},
        expect = ACCEPTABLE,
        desc = "each has its own, and there is no third")
@Outcome(expect = FORBIDDEN, desc = "the same event twice, or beyond the room")
@State
public class MultiClaims {
    private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[1], 2);

    /** Makes the ring one that fills. */
    public MultiClaims() {
        ring.newPoller();
    }

    /** Claims. */
    @Actor
    public void first(III_Result result) {
        result.r1 = (int) ring.tryClaim();
    }

    /** Claims. */
    @Actor
    public void second(III_Result result) {
        result.r2 = (int) ring.tryClaim();
    }

    /** Claims once more, and finds no room. */
    @Arbiter
    public void third(III_Result result) {
        result.r3 = (int) ring.tryClaim();
    }
}
