package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.Ring;
import io.slipstream.core.ring.RingBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The broken twin of the gatings: a consumer that publishers do not wait for. */
@JCStressTest
@JCStressMeta(MultiGating.class)
@State
public class BrokenGating {
    private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[1], 1);

    /** Publishes the first event. */
    public BrokenGating() {
        long sequence = ring.claim();
        ring.get(sequence)[0] = 7;
        ring.publish(sequence);
    }

    /** Publishes once more; there always is room. */
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
        result.r1 = ring.get(0)[0];
    }
}
