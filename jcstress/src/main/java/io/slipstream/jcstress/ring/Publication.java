package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequence.SequenceBarrier;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** What a publisher wrote is visible to a consumer that sees the publication. */
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "nothing was published yet")
@Outcome(id = "1, 7", expect = Expect.ACCEPTABLE, desc = "published, and whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "published before it was written")
public final class Publication {
    private Publication() {}

    private static void publish(RingBuffer<int[]> ring) {
        long sequence = ring.claim();
        ring.get(sequence)[0] = 7;
        ring.publish(sequence);
    }

    private static void read(RingBuffer<int[]> ring, SequenceBarrier barrier, II_Result result) {
        if (barrier.available(0, 1) > 0) {
            result.r1 = 1;
            result.r2 = ring.get(0)[0];
        }
    }

    /** By one publisher. */
    @JCStressTest
    @JCStressMeta(Publication.class)
    @State
    public static class OfOnePublisher {
        private final RingBuffer<int[]> ring = RingBuffer.forOnePublisher(() -> new int[1], 2);
        private final SequenceBarrier barrier = ring.newBarrier();

        /** Publishes. */
        @Actor
        public void publisher() {
            publish(ring);
        }

        /** Reads what is published. */
        @Actor
        public void consumer(II_Result result) {
            read(ring, barrier, result);
        }
    }

    /** By one of many publishers. */
    @JCStressTest
    @JCStressMeta(Publication.class)
    @State
    public static class OfManyPublishers {
        private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[1], 2);
        private final SequenceBarrier barrier = ring.newBarrier();

        /** Publishes. */
        @Actor
        public void publisher() {
            publish(ring);
        }

        /** Reads what is published. */
        @Actor
        public void consumer(II_Result result) {
            read(ring, barrier, result);
        }
    }

    /** Broken twin: publishes before it writes, as a store without order might. Must be found out. */
    @JCStressTest
    @JCStressMeta(Publication.class)
    @State
    public static class BrokenPublication {
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
            read(ring, barrier, result);
        }
    }
}
