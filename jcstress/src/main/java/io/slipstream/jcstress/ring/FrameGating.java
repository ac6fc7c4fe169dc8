package io.slipstream.jcstress.ring;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.Ring;
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

/** A publisher never overwrites frames that their consumer is reading, nor clears their headers. */
@Outcome(
        id = {"14, 0", "14, 2"},
        expect = Expect.ACCEPTABLE,
        desc = "the consumer saw both frames, whether or not there was room already")
@Outcome(expect = Expect.FORBIDDEN, desc = "a frame was overwritten while the consumer read it")
public final class FrameGating {
    private static final int CAPACITY = 64;
    private static final int BYTES = 16;
    private static final int MESSAGE = BYTES - Frame.HEADER_BYTES;
    private static final int WRONG_LENGTH = 1_000;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private FrameGating() {}

    private static void write(FrameRing ring, long position, int value) {
        ring.memory().set(INT, ring.offset(position) + Frame.HEADER_BYTES, value);
    }

    /** Publishes frames while there is room. */
    private static void fill(FrameRing ring) {
        for (long position; ring.claimed() < CAPACITY && (position = ring.tryClaim(MESSAGE)) != Ring.NO_ROOM; ) {
            write(ring, position, 7);
            ring.publish(position);
        }
    }

    /** Writes two frames, the second of which lies where the first one of the ring is, or where it begins. */
    private static int writeWhileThereIsRoom(FrameRing ring) {
        int count = 0;
        for (long position; count < 2 && (position = ring.tryClaim(MESSAGE)) != Ring.NO_ROOM; count++) {
            write(ring, position, 8);
        }
        return count;
    }

    private static int read(MemorySegment memory, long offset, int length) {
        return memory.get(INT, offset + Frame.HEADER_BYTES) + (length == BYTES ? 0 : WRONG_LENGTH);
    }

    private static void poll(FramePoller poller, II_Result result) {
        poller.poll((memory, offset, length, endOfBatch) -> result.r1 += read(memory, offset, length), 2);
    }

    /** A full ring with one publisher. */
    @JCStressTest
    @JCStressMeta(FrameGating.class)
    @State
    public static class OfOnePublisher {
        private final FrameRing ring = FrameRing.forOnePublisher(CAPACITY, WaitStrategy.yielding());
        private final FramePoller poller = ring.newPoller();

        /** Fills the ring. */
        public OfOnePublisher() {
            fill(ring);
        }

        /** Writes more, if there is room. */
        @Actor
        public void publisher(II_Result result) {
            result.r2 = writeWhileThereIsRoom(ring);
        }

        /** Reads the first two frames, and releases them together. */
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

    /** A full ring with many publishers. */
    @JCStressTest
    @JCStressMeta(FrameGating.class)
    @State
    public static class OfManyPublishers {
        private final FrameRing ring = FrameRing.forManyPublishers(CAPACITY, WaitStrategy.yielding());
        private final FramePoller poller = ring.newPoller();

        /** Fills the ring. */
        public OfManyPublishers() {
            fill(ring);
        }

        /** Writes more, if there is room. */
        @Actor
        public void publisher(II_Result result) {
            result.r2 = writeWhileThereIsRoom(ring);
        }

        /** Reads the first two frames, and releases them together. */
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

    /** Broken twin: a consumer that publishers do not wait for. Must be found out. */
    @JCStressTest
    @JCStressMeta(FrameGating.class)
    @State
    public static class BrokenFrameGating {
        private final FrameRing ring = FrameRing.forManyPublishers(CAPACITY, WaitStrategy.yielding());

        /** Fills the ring. */
        public BrokenFrameGating() {
            fill(ring);
        }

        /** Writes more; there always is room. */
        @Actor
        public void publisher(II_Result result) {
            result.r2 = writeWhileThereIsRoom(ring);
        }

        /** Reads the first two frames. */
        @Actor
        public void consumer(II_Result result) {
            for (long offset = 0; offset < 2 * BYTES; offset += BYTES) {
                result.r1 += read(ring.memory(), offset, Frame.length(ring.memory(), offset));
            }
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(II_Result result) {
            ring.close();
        }
    }
}
