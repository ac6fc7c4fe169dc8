package io.slipstream.jcstress.ring;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.EventObserver;
import io.slipstream.core.ring.FrameObserver;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.thread.WaitStrategy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** An observer beside the publisher that overwrites what it copies. */
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "overwritten, and the next not published yet")
@Outcome(
        id = {"1, 1", "2, 2", "3, 3"},
        expect = Expect.ACCEPTABLE,
        desc = "one whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "half of one and half of another")
public final class ObserverCopies {
    private static final int FRAMES_CAPACITY = 64;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private ObserverCopies() {}

    private static RingBuffer<int[]> publish(RingBuffer<int[]> ring, int value) {
        long sequence = ring.claim();
        int[] event = ring.get(sequence);
        event[0] = value;
        Thread.onSpinWait();
        event[1] = value;
        ring.publish(sequence);
        return ring;
    }

    private static void copy(int[] event, II_Result target) {
        target.r1 = event[0];
        target.r2 = event[1];
    }

    private static void poll(EventObserver<int[]> observer, II_Result result) {
        if (!observer.poll(ObserverCopies::copy, result)) {
            result.r1 = 0;
            result.r2 = 0;
        }
    }

    /* Frames of the largest size, so that the third lies where the first did. */
    private static FrameRing publish(FrameRing ring, int value) {
        long position = ring.claim(ring.maxMessageLength());
        long message = ring.offset(position) + Frame.HEADER_BYTES;
        ring.memory().set(INT, message, value);
        Thread.onSpinWait();
        ring.memory().set(INT, message + Integer.BYTES, value);
        ring.publish(position);
        return ring;
    }

    private static void copy(MemorySegment memory, long offset, int length, II_Result target) {
        target.r1 = memory.get(INT, offset + Frame.HEADER_BYTES);
        target.r2 = memory.get(INT, offset + Frame.HEADER_BYTES + Integer.BYTES);
    }

    private static void poll(FrameObserver observer, II_Result result) {
        if (!observer.poll(ObserverCopies::copy, result)) {
            result.r1 = 0;
            result.r2 = 0;
        }
    }

    /** The observer of a ring with one publisher. */
    @JCStressTest
    @JCStressMeta(ObserverCopies.class)
    @State
    public static class OfOnePublisher {
        private final RingBuffer<int[]> ring = RingBuffer.forOnePublisher(() -> new int[2], 1);
        private final EventObserver<int[]> observer = ring.newObserver();

        /** Publishes the first event. */
        public OfOnePublisher() {
            publish(ring, 1);
        }

        /** Overwrites it. */
        @Actor
        public void publisher() {
            publish(ring, 2);
        }

        /** Copies. */
        @Actor
        public void observer(II_Result result) {
            poll(observer, result);
        }
    }

    /** The observer of a ring with many publishers. */
    @JCStressTest
    @JCStressMeta(ObserverCopies.class)
    @State
    public static class OfManyPublishers {
        private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[2], 1);
        private final EventObserver<int[]> observer = ring.newObserver();

        /** Publishes the first event. */
        public OfManyPublishers() {
            publish(ring, 1);
        }

        /** Overwrites it. */
        @Actor
        public void publisher() {
            publish(ring, 2);
        }

        /** Copies. */
        @Actor
        public void observer(II_Result result) {
            poll(observer, result);
        }
    }

    /** The observer of a ring of frames with one publisher. */
    @JCStressTest
    @JCStressMeta(ObserverCopies.class)
    @State
    public static class OfFramesOfOnePublisher {
        private final FrameRing ring = FrameRing.forOnePublisher(FRAMES_CAPACITY, WaitStrategy.yielding());
        private final FrameObserver observer = ring.newObserver();

        /** Publishes the first frame. */
        public OfFramesOfOnePublisher() {
            publish(ring, 1);
        }

        /** Publishes two more, which overwrite it. */
        @Actor
        public void publisher() {
            publish(publish(ring, 2), 3);
        }

        /** Copies. */
        @Actor
        public void observer(II_Result result) {
            poll(observer, result);
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(II_Result result) {
            ring.close();
        }
    }

    /** The observer of a ring of frames with many publishers. */
    @JCStressTest
    @JCStressMeta(ObserverCopies.class)
    @State
    public static class OfFramesOfManyPublishers {
        private final FrameRing ring = FrameRing.forManyPublishers(FRAMES_CAPACITY, WaitStrategy.yielding());
        private final FrameObserver observer = ring.newObserver();

        /** Publishes the first frame. */
        public OfFramesOfManyPublishers() {
            publish(ring, 1);
        }

        /** Publishes two more, which overwrite it. */
        @Actor
        public void publisher() {
            publish(publish(ring, 2), 3);
        }

        /** Copies. */
        @Actor
        public void observer(II_Result result) {
            poll(observer, result);
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(II_Result result) {
            ring.close();
        }
    }

    /** Broken twin: copies without looking whether it was overwritten meanwhile. Must be found out. */
    @JCStressTest
    @JCStressMeta(ObserverCopies.class)
    @State
    public static class BrokenObserver {
        private final RingBuffer<int[]> ring = publish(RingBuffer.forOnePublisher(() -> new int[2], 1), 1);

        /** Overwrites it. */
        @Actor
        public void publisher() {
            publish(ring, 2);
        }

        /** Copies. */
        @Actor
        public void observer(II_Result result) {
            copy(ring.get(0), result);
        }
    }

    /** Broken twin: the same with frames. Must be found out. */
    @JCStressTest
    @JCStressMeta(ObserverCopies.class)
    @State
    public static class BrokenFrameObserver {
        private final FrameRing ring = publish(FrameRing.forOnePublisher(FRAMES_CAPACITY, WaitStrategy.yielding()), 1);

        /** Publishes two more, which overwrite it. */
        @Actor
        public void publisher() {
            publish(publish(ring, 2), 3);
        }

        /** Copies. */
        @Actor
        public void observer(II_Result result) {
            copy(ring.memory(), 0, FRAMES_CAPACITY / 2, result);
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(II_Result result) {
            ring.close();
        }
    }
}
