package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.SequenceBarrier;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

/** The broken twin of the publications: it publishes before it writes, as a store without order might. */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing was published yet")
@Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "published, and whole")
@Outcome(expect = FORBIDDEN, desc = "published before it was written")
@State
public class BrokenPublication {
    private final RingBuffer<int[]> ring = RingBuffer.forOnePublisher(() -> new int[1], 2);
    private final SequenceBarrier barrier = ring.newBarrier();

    /** Publishes first and writes a moment later. */
    @Actor
    public void publisher() {
        long sequence = ring.claim();
        ring.publish(sequence);
        Thread.onSpinWait();
        ring.get(sequence)[0] = 7;
    }

    /** Reads what is published. */
    @Actor
    public void consumer(II_Result result) {
        if (barrier.available(0, 1) > 0) {
            result.r1 = 1;
            result.r2 = ring.get(0)[0];
        }
    }
}
