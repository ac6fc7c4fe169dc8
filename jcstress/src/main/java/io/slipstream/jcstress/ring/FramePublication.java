package io.slipstream.jcstress.ring;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.WaitStrategy;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A frame is seen whole or not at all, also where frames have lain before; and none is seen that was not published. */
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "nothing was published yet")
@Outcome(id = "16, 7", expect = Expect.ACCEPTABLE, desc = "published, and whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "published before it was written, or never")
public final class FramePublication {
    private static final int CAPACITY = 64;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private FramePublication() {}

    private static void publish(FrameRing ring, int value) {
        long position = ring.claim(8);
        ring.memory().set(INT, ring.offset(position) + Frame.HEADER_BYTES, value);
        ring.publish(position);
    }

    private static void poll(FramePoller poller, II_Result result) {
        poller.poll(
                (memory, offset, length, endOfBatch) -> {
                    result.r1 = length;
                    result.r2 = memory.get(INT, offset + Frame.HEADER_BYTES);
                },
                1);
    }

    /** Brings the ring into its second lap, to an odd place, so that old bytes lie wherever a frame may come to lie. */
    private static FramePoller use(FrameRing ring) {
        FramePoller poller = ring.newPoller();
        for (int i = 0; i < 6; i++) {
            publish(ring, 1);
            poller.poll((memory, offset, length, endOfBatch) -> {}, 1);
        }
        return poller;
    }

    /** By one publisher. */
    @JCStressTest
    @JCStressMeta(FramePublication.class)
    @State
    public static class OfOnePublisher {
        private final FrameRing ring = FrameRing.forOnePublisher(CAPACITY, WaitStrategy.yielding());
        private final FramePoller poller = use(ring);

        /** Publishes. */
        @Actor
        public void publisher() {
            publish(ring, 7);
        }

        /** Reads what is published. */
        @Actor
        public void consumer(II_Result result) {
            poll(poller, result);
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(II_Result result) {
            ring.close();
        }
    }

    /** By one of many publishers. */
    @JCStressTest
    @JCStressMeta(FramePublication.class)
    @State
    public static class OfManyPublishers {
        private final FrameRing ring = FrameRing.forManyPublishers(CAPACITY, WaitStrategy.yielding());
        private final FramePoller poller = use(ring);

        /** Publishes. */
        @Actor
        public void publisher() {
            publish(ring, 7);
        }

        /** Reads what is published. */
        @Actor
        public void consumer(II_Result result) {
            poll(poller, result);
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(II_Result result) {
            ring.close();
        }
    }

    /** By one publisher that has two claims open, of which it publishes the first alone. */
    @JCStressTest
    @JCStressMeta(FramePublication.class)
    @State
    public static class TwoOpenClaims {
        private final FrameRing ring = FrameRing.forOnePublisher(CAPACITY, WaitStrategy.yielding());
        private final FramePoller poller = use(ring);

        /** Publishes the first. */
        @Actor
        public void publisher() {
            long first = ring.claim(8);
            ring.claim(8);
            ring.memory().set(INT, ring.offset(first) + Frame.HEADER_BYTES, 7);
            ring.publish(first);
        }

        /** Reads what is published; the second is not. */
        @Actor
        public void consumer(II_Result result) {
            poll(poller, result);
            int[] more = {0};
            poller.poll((memory, offset, length, endOfBatch) -> more[0] = result.r1 == 0 ? 0 : 1, 1);
            result.r1 += more[0];
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(II_Result result) {
            ring.close();
        }
    }

    /** Broken twin: publishes before it writes. Must be found out. */
    @JCStressTest
    @JCStressMeta(FramePublication.class)
    @State
    public static class BrokenFrames {
        private final FrameRing ring = FrameRing.forManyPublishers(CAPACITY, WaitStrategy.yielding());
        private final FramePoller poller = use(ring);

        /** Publishes first and writes a moment later. */
        @Actor
        public void publisher() {
            long position = ring.claim(8);
            ring.publish(position);
            Thread.onSpinWait();
            ring.memory().set(INT, ring.offset(position) + Frame.HEADER_BYTES, 7);
        }

        /** Reads what is published. */
        @Actor
        public void consumer(II_Result result) {
            poll(poller, result);
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(II_Result result) {
            ring.close();
        }
    }

    /**
     * Broken twin: the header of the place that comes next was not cleared, and says what lay there a lap before. Must
     * be found out.
     */
    @JCStressTest
    @JCStressMeta(FramePublication.class)
    @State
    public static class BrokenClearing {
        private final FrameRing ring = FrameRing.forOnePublisher(CAPACITY, WaitStrategy.yielding());
        private final FramePoller poller = use(ring);

        /** Leaves the place as it was. */
        public BrokenClearing() {
            Frame.length(ring.memory(), ring.offset(ring.claimed()), 16);
        }

        /** Publishes. */
        @Actor
        public void publisher() {
            publish(ring, 7);
        }

        /** Reads what is published. */
        @Actor
        public void consumer(II_Result result) {
            poll(poller, result);
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(II_Result result) {
            ring.close();
        }
    }
}
