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

/** Two frames of one claim: whoever has seen the first one finds the second one, too, with what was written into it. */
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "nothing is there yet")
@Outcome(
        id = {"0, 1", "0, 12", "1, 12", "12, 12"},
        expect = Expect.ACCEPTABLE,
        desc = "the second look finds what the first one left")
@Outcome(expect = Expect.FORBIDDEN, desc = "the first one alone is there, or a frame that was not written")
public final class FramesInOneClaim {
    private static final int CAPACITY = 64;
    private static final int MESSAGE = 8;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private FramesInOneClaim() {}

    private static void write(FrameRing ring, long position, int value) {
        ring.memory().set(INT, ring.offset(position) + Frame.HEADER_BYTES, value);
    }

    private static void publish(FrameRing ring) {
        long first = ring.claim(MESSAGE, 2);
        write(ring, first, 1);
        write(ring, first + FrameRing.stride(MESSAGE), 2);
        ring.publish(first, MESSAGE, 2);
    }

    /** Looks twice; gives the digits of the frames that it has seen until then. */
    private static void poll(FramePoller poller, II_Result result) {
        int[] seen = {0};
        poll(poller, seen);
        result.r1 = seen[0];
        poll(poller, seen);
        result.r2 = seen[0];
    }

    private static void poll(FramePoller poller, int[] seen) {
        poller.poll(
                (memory, offset, length, endOfBatch) ->
                        seen[0] = 10 * seen[0] + memory.get(INT, offset + Frame.HEADER_BYTES),
                2);
    }

    /** Of the one publisher. */
    @JCStressTest
    @JCStressMeta(FramesInOneClaim.class)
    @State
    public static class OfOnePublisher {
        private final FrameRing ring = FrameRing.forOnePublisher(CAPACITY, WaitStrategy.yielding());
        private final FramePoller poller = ring.newPoller();

        /** Publishes two in one step. */
        @Actor
        public void publisher() {
            publish(ring);
        }

        /** Polls twice. */
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

    /** Of one of many publishers. */
    @JCStressTest
    @JCStressMeta(FramesInOneClaim.class)
    @State
    public static class OfManyPublishers {
        private final FrameRing ring = FrameRing.forManyPublishers(CAPACITY, WaitStrategy.yielding());
        private final FramePoller poller = ring.newPoller();

        /** Publishes two in one step. */
        @Actor
        public void publisher() {
            publish(ring);
        }

        /** Polls twice. */
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

    /** Broken twin: publishes the two one after the other. Must be found out. */
    @JCStressTest
    @JCStressMeta(FramesInOneClaim.class)
    @State
    public static class BrokenFramesInOneClaim {
        private final FrameRing ring = FrameRing.forManyPublishers(CAPACITY, WaitStrategy.yielding());
        private final FramePoller poller = ring.newPoller();

        /** Claims both and publishes each by itself. */
        @Actor
        public void publisher() {
            long first = ring.claim(MESSAGE);
            long second = ring.claim(MESSAGE);
            write(ring, first, 1);
            write(ring, second, 2);
            ring.publish(first);
            Thread.yield(); // leaves the bad moment not to luck
            ring.publish(second);
        }

        /** Polls twice. */
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
