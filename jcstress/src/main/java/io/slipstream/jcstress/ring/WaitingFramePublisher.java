package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.ring.RingFailedException;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.WaitStrategy;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A publisher of frames that sleeps for want of room is woken by whoever makes room, and by a failure. */
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "claimed")
@Outcome(id = "-2", expect = Expect.ACCEPTABLE, desc = "told of the failure")
@Outcome(expect = Expect.FORBIDDEN, desc = "slept until its time was over")
public final class WaitingFramePublisher {
    private static final int CAPACITY = 64;
    private static final int MESSAGE = 8;
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(5);

    private WaitingFramePublisher() {}

    /* Publishers of this ring sleep at once. */
    private static FrameRing forOnePublisher() {
        return FrameRing.forOnePublisher(CAPACITY, WaitStrategy.blocking(LONG));
    }

    private static FrameRing forManyPublishers() {
        return FrameRing.forManyPublishers(CAPACITY, WaitStrategy.blocking(LONG));
    }

    /** Publishes frames until the ring is full. */
    private static void fill(FrameRing ring) {
        for (long position; (position = ring.tryClaim(MESSAGE)) != Ring.NO_ROOM; ) {
            ring.publish(position);
        }
    }

    /** Whoever is not woken finds the room when its time is over, so that counts as none. */
    private static int claim(FrameRing ring, Duration limit) {
        long start = System.nanoTime();
        try {
            boolean claimed = ring.tryClaim(MESSAGE, limit) != Ring.NO_ROOM;
            return claimed && System.nanoTime() - start < limit.toNanos() ? 1 : -1;
        } catch (RingFailedException e) {
            return -2;
        }
    }

    private static void poll(FramePoller poller) {
        poller.poll((memory, offset, length, endOfBatch) -> {}, 1);
    }

    /** The one publisher, beside a poll. */
    @JCStressTest
    @JCStressMeta(WaitingFramePublisher.class)
    @State
    public static class OnePublisherBesidePoll {
        private final FrameRing ring = forOnePublisher();
        private final FramePoller poller = ring.newPoller();

        /** Fills the ring. */
        public OnePublisherBesidePoll() {
            fill(ring);
        }

        /** Claims. */
        @Actor
        public void publisher(I_Result result) {
            result.r1 = claim(ring, LONG);
        }

        /** Makes room. */
        @Actor
        public void consumer() {
            poll(poller);
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(I_Result result) {
            ring.close();
        }
    }

    /** One of many publishers, beside a poll. */
    @JCStressTest
    @JCStressMeta(WaitingFramePublisher.class)
    @State
    public static class OneOfManyBesidePoll {
        private final FrameRing ring = forManyPublishers();
        private final FramePoller poller = ring.newPoller();

        /** Fills the ring. */
        public OneOfManyBesidePoll() {
            fill(ring);
        }

        /** Claims. */
        @Actor
        public void publisher(I_Result result) {
            result.r1 = claim(ring, LONG);
        }

        /** Makes room. */
        @Actor
        public void consumer() {
            poll(poller);
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(I_Result result) {
            ring.close();
        }
    }

    /** The one publisher, beside a failure, which takes away its limit and with it what it may clear. */
    @JCStressTest
    @JCStressMeta(WaitingFramePublisher.class)
    @State
    public static class OnePublisherBesideFailure {
        private final FrameRing ring = forOnePublisher();

        /** Fills the ring. */
        public OnePublisherBesideFailure() {
            ring.newPoller();
            fill(ring);
        }

        /** Claims. */
        @Actor
        public void publisher(I_Result result) {
            result.r1 = claim(ring, LONG);
        }

        /** Fails. */
        @Actor
        public void consumer() {
            ring.fail("stopped", null);
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(I_Result result) {
            ring.close();
        }
    }

    /** Broken twin: makes room and wakes nobody. Must be found out. */
    @JCStressTest
    @JCStressMeta(WaitingFramePublisher.class)
    @State
    public static class BrokenFrameRoom {
        private final FrameRing ring = forManyPublishers();
        private final Sequence consumer = new Sequence();

        /** Fills the ring. */
        public BrokenFrameRoom() {
            ring.addGating(consumer);
            fill(ring);
        }

        /** Claims. */
        @Actor
        public void publisher(I_Result result) {
            result.r1 = claim(ring, SHORT);
        }

        /** Makes room. */
        @Actor
        public void consumer() {
            consumer.setRelease(16);
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(I_Result result) {
            ring.close();
        }
    }
}
