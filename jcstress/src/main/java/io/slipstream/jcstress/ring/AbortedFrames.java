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
import org.openjdk.jcstress.infra.results.I_Result;

/** A consumer never sees an aborted frame, and goes on to the one behind it. */
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "nothing, or the aborted one alone, is there yet")
@Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "the frame behind the aborted one")
@Outcome(expect = Expect.FORBIDDEN, desc = "an aborted frame")
public final class AbortedFrames {
    private static final int CAPACITY = 64;
    private static final int MESSAGE = 8;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private AbortedFrames() {}

    private static long claim(FrameRing ring, int value) {
        long position = ring.claim(MESSAGE);
        ring.memory().set(INT, ring.offset(position) + Frame.HEADER_BYTES, value);
        return position;
    }

    private static void abortOneAndPublishAnother(FrameRing ring) {
        ring.abort(claim(ring, 9));
        ring.publish(claim(ring, 7));
    }

    private static void poll(FramePoller poller, I_Result result) {
        poller.poll(
                (memory, offset, length, endOfBatch) -> result.r1 = memory.get(INT, offset + Frame.HEADER_BYTES), 1);
    }

    /** By the one publisher. */
    @JCStressTest
    @JCStressMeta(AbortedFrames.class)
    @State
    public static class ByOnePublisher {
        private final FrameRing ring = FrameRing.forOnePublisher(CAPACITY, WaitStrategy.yielding());
        private final FramePoller poller = ring.newPoller();

        /** Aborts and publishes. */
        @Actor
        public void publisher() {
            abortOneAndPublishAnother(ring);
        }

        /** Polls. */
        @Actor
        public void consumer(I_Result result) {
            poll(poller, result);
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(I_Result result) {
            ring.close();
        }
    }

    /** By one of many publishers. */
    @JCStressTest
    @JCStressMeta(AbortedFrames.class)
    @State
    public static class ByOneOfMany {
        private final FrameRing ring = FrameRing.forManyPublishers(CAPACITY, WaitStrategy.yielding());
        private final FramePoller poller = ring.newPoller();

        /** Aborts and publishes. */
        @Actor
        public void publisher() {
            abortOneAndPublishAnother(ring);
        }

        /** Polls. */
        @Actor
        public void consumer(I_Result result) {
            poll(poller, result);
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(I_Result result) {
            ring.close();
        }
    }

    /** Broken twin: makes the length negative after publishing the frame. Must be found out. */
    @JCStressTest
    @JCStressMeta(AbortedFrames.class)
    @State
    public static class BrokenFrameAbort {
        private final FrameRing ring = FrameRing.forManyPublishers(CAPACITY, WaitStrategy.yielding());
        private final FramePoller poller = ring.newPoller();

        /** Publishes first and marks the frame a moment later. */
        @Actor
        public void publisher() {
            long position = claim(ring, 9);
            ring.publish(position);
            Thread.onSpinWait();
            Frame.length(ring.memory(), ring.offset(position), -16);
        }

        /** Polls. */
        @Actor
        public void consumer(I_Result result) {
            poll(poller, result);
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(I_Result result) {
            ring.close();
        }
    }
}
