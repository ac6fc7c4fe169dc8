package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.RingBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

/** Two publishers never get the same event, and the third claim on a ring of two is refused. */
@JCStressTest
@Outcome(id = {"0, 1", "1, 0"}, expect = ACCEPTABLE, desc = "each has its own")
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
    public void first(II_Result result) {
        result.r1 = (int) ring.tryClaim();
    }

    /** Claims. */
    @Actor
    public void second(II_Result result) {
        result.r2 = (int) ring.tryClaim();
    }
}
