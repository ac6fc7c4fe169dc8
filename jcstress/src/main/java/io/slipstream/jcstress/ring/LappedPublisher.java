package io.slipstream.jcstress.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.EventObserver;
import io.slipstream.core.ring.FrameObserver;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.thread.WaitStrategy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two publishers of a ring of one place that nobody consumes: one claims the next lap only when the other has
 * published. The result is what an observer sees that looks when both have ended.
 */
@Outcome(
        id = {"1, 1", "2, 2"},
        expect = ACCEPTABLE,
        desc = "the last one, whole")
@Outcome(
        expect = FORBIDDEN,
        desc = "half of one and half of the other, or nothing, as the older one was published over the newer")
public final class LappedPublisher {
    private static final int CAPACITY = 64;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private LappedPublisher() {}

    private static void write(int[] event, int value) {
        event[0] = value;
        Thread.onSpinWait();
        event[1] = value;
    }

    private static void copy(int[] event, II_Result target) {
        target.r1 = event[0];
        target.r2 = event[1];
    }

    /** Events. */
    @JCStressTest
    @JCStressMeta(LappedPublisher.class)
    @State
    public static class OfEvents {
        private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[2], 1);
        private final EventObserver<int[]> observer = ring.newObserver();

        private void publishIfThereIsRoom(int value) {
            long sequence = ring.tryClaim();
            if (sequence != Ring.NO_ROOM) {
                write(ring.get(sequence), value);
                ring.publish(sequence);
            }
        }

        /** Publishes. */
        @Actor
        public void first() {
            publishIfThereIsRoom(1);
        }

        /** Publishes. */
        @Actor
        public void second() {
            publishIfThereIsRoom(2);
        }

        /** Looks. */
        @Arbiter
        public void observe(II_Result result) {
            if (!observer.poll(LappedPublisher::copy, result)) {
                result.r1 = 0;
                result.r2 = -1;
            }
        }
    }

    /** Frames, each as large as two of them can be; the third one lies where the first did. */
    @JCStressTest
    @JCStressMeta(LappedPublisher.class)
    @State
    public static class OfFrames {
        private final FrameRing ring = FrameRing.forManyPublishers(CAPACITY, WaitStrategy.yielding());
        private final FrameObserver observer = ring.newObserver();

        private void publishIfThereIsRoom(int value) {
            long position = ring.tryClaim(ring.maxMessageLength());
            if (position != Ring.NO_ROOM) {
                long message = ring.offset(position) + Frame.HEADER_BYTES;
                ring.memory().set(INT, message, value);
                Thread.onSpinWait();
                ring.memory().set(INT, message + Integer.BYTES, value);
                ring.publish(position);
            }
        }

        private static void copy(MemorySegment memory, long offset, int length, II_Result target) {
            target.r1 = memory.get(INT, offset + Frame.HEADER_BYTES);
            target.r2 = memory.get(INT, offset + Frame.HEADER_BYTES + Integer.BYTES);
        }

        /** Publishes. */
        @Actor
        public void first() {
            publishIfThereIsRoom(1);
        }

        /** Publishes twice, the second time perhaps where the other one is still writing. */
        @Actor
        public void second() {
            publishIfThereIsRoom(2);
            publishIfThereIsRoom(2);
        }

        /** Looks for the last. */
        @Arbiter
        public void observe(II_Result result) {
            result.r1 = 0;
            result.r2 = -1;
            boolean more = true;
            while (more) {
                more = observer.poll(OfFrames::copy, result);
            }
            if (observer.next() != ring.claimed()) {
                result.r2 = -2;
            }
            ring.close();
        }
    }

    /** Broken twin: the limit follows the claims, so that one publisher may lap the other. Must be found out. */
    @JCStressTest
    @JCStressMeta(LappedPublisher.class)
    @State
    public static class BrokenLimit {
        private final AtomicInteger claims = new AtomicInteger();
        private final int[] event = new int[2];
        private volatile int published;

        private void publish(int value) {
            int lap = claims.incrementAndGet();
            write(event, value);
            published = lap;
        }

        /** Publishes. */
        @Actor
        public void first() {
            publish(1);
        }

        /** Publishes. */
        @Actor
        public void second() {
            publish(2);
        }

        /** Looks. */
        @Arbiter
        public void observe(II_Result result) {
            copy(event, result);
            if (published != claims.get()) {
                result.r1 = 0;
                result.r2 = -1;
            }
        }
    }
}
