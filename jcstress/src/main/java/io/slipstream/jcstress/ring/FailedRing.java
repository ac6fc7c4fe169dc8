package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.RingFailedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

/** Whatever a claim that raises the limit does at the same time, a failure stays: the next claim fails. */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "the failure stayed")
@Outcome(expect = FORBIDDEN, desc = "the failure was overwritten")
@State
public class FailedRing {
    private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[1], 4);

    /** Claims, which raises the limit. */
    @Actor
    public void publisher() {
        try {
            ring.tryClaim();
        } catch (RingFailedException e) {
            // As it should be, if the failure came first.
        }
    }

    /** Fails. */
    @Actor
    public void consumer() {
        ring.fail("stopped", null);
    }

    /** Claims again. */
    @Arbiter
    public void later(Z_Result result) {
        try {
            ring.tryClaim();
        } catch (RingFailedException e) {
            result.r1 = true;
        }
    }
}
