package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.ring.RingBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

/** A publisher never overwrites an event that its consumer is reading: room is made by the consumer alone. */
@JCStressTest
@Outcome(id = {"7, 0", "7, 1"}, expect = ACCEPTABLE, desc = "the consumer saw the first event, whether or not there was room already")
@Outcome(expect = FORBIDDEN, desc = "the event was overwritten while the consumer read it")
@State
public class MultiGating {
    private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[1], 1);
    private final EventPoller<int[]> poller = ring.newPoller();

    /** Fills the ring. */
    public MultiGating() {
        long sequence = ring.claim();
        ring.get(sequence)[0] = 7;
        ring.publish(sequence);
    }

    /** Publishes once more, if there is room. */
    @Actor
    public void publisher(II_Result result) {
        long sequence = ring.tryClaim();
        if (sequence != Ring.NO_ROOM) {
            ring.get(sequence)[0] = 8;
            result.r2 = 1;
        }
    }

    /** Reads the first event. */
    @Actor
    public void consumer(II_Result result) {
        try {
            poller.poll((event, sequence, endOfBatch) -> {
                result.r1 = event[0];
                return true;
            }, 1);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
