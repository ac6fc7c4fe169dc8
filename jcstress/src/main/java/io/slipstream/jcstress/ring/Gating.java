package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.ring.RingBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A publisher never overwrites an event that its consumer is reading: room is made by the consumer alone. */
@Outcome(
        id = {"7, 0", "7, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "the consumer saw the first event, whether or not there was room already")
@Outcome(expect = Expect.FORBIDDEN, desc = "the event was overwritten while the consumer read it")
public final class Gating {
    private Gating() {}

    private static RingBuffer<int[]> filled(RingBuffer<int[]> ring) {
        ring.get(ring.claim())[0] = 7;
        ring.publish(0);
        return ring;
    }

    private static int publishIfThereIsRoom(RingBuffer<int[]> ring) {
        long sequence = ring.tryClaim();
        if (sequence == Ring.NO_ROOM) {
            return 0;
        }
        ring.get(sequence)[0] = 8;
        return 1;
    }

    private static void poll(EventPoller<int[]> poller, II_Result result) {
        try {
            poller.poll(
                    (event, sequence, endOfBatch) -> {
                        result.r1 = event[0];
                        return true;
                    },
                    1);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** A full ring with one publisher. */
    @JCStressTest
    @JCStressMeta(Gating.class)
    @State
    public static class OfOnePublisher {
        private final RingBuffer<int[]> ring = RingBuffer.forOnePublisher(() -> new int[1], 1);
        private final EventPoller<int[]> poller = ring.newPoller();

        /** Fills the ring. */
        public OfOnePublisher() {
            filled(ring);
        }

        /** Publishes once more, if there is room. */
        @Actor
        public void publisher(II_Result result) {
            result.r2 = publishIfThereIsRoom(ring);
        }

        /** Reads the first event. */
        @Actor
        public void consumer(II_Result result) {
            poll(poller, result);
        }
    }

    /** A full ring with many publishers. */
    @JCStressTest
    @JCStressMeta(Gating.class)
    @State
    public static class OfManyPublishers {
        private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[1], 1);
        private final EventPoller<int[]> poller = ring.newPoller();

        /** Fills the ring. */
        public OfManyPublishers() {
            filled(ring);
        }

        /** Publishes once more, if there is room. */
        @Actor
        public void publisher(II_Result result) {
            result.r2 = publishIfThereIsRoom(ring);
        }

        /** Reads the first event. */
        @Actor
        public void consumer(II_Result result) {
            poll(poller, result);
        }
    }

    /** Broken twin: a consumer that publishers do not wait for. Must be found out. */
    @JCStressTest
    @JCStressMeta(Gating.class)
    @State
    public static class BrokenGating {
        private final RingBuffer<int[]> ring = filled(RingBuffer.forManyPublishers(() -> new int[1], 1));

        /** Publishes once more; there always is room. */
        @Actor
        public void publisher(II_Result result) {
            result.r2 = publishIfThereIsRoom(ring);
        }

        /** Reads the first event. */
        @Actor
        public void consumer(II_Result result) {
            result.r1 = ring.get(0)[0];
        }
    }
}
