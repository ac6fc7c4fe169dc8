package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.RingFailedException;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.WaitStrategy;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A publisher that sleeps for want of room is woken by whoever makes room, and by a failure. */
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "claimed")
@Outcome(id = "-2", expect = Expect.ACCEPTABLE, desc = "told of the failure")
@Outcome(expect = Expect.FORBIDDEN, desc = "slept until its time was over")
public final class WaitingPublisher {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(5);
    private static final long ASLEEP_NANOS = 200_000;

    private WaitingPublisher() {}

    /* Publishers of this ring sleep at once. */
    private static RingBuffer<int[]> ring() {
        return RingBuffer.forManyPublishers(() -> new int[1], 1, WaitStrategy.blocking(LONG), WhenFull.WAIT);
    }

    /* Who was not woken finds the room when its time is over, and has slept for nothing all the same. */
    private static int claim(RingBuffer<int[]> ring, Duration limit) {
        long start = System.nanoTime();
        try {
            int claimed = (int) ring.tryClaim(1, limit);
            return System.nanoTime() - start < limit.toNanos() ? claimed : -1;
        } catch (RingFailedException e) {
            return -2;
        }
    }

    /** Beside a poll. */
    @JCStressTest
    @JCStressMeta(WaitingPublisher.class)
    @State
    public static class BesidePoll {
        private final RingBuffer<int[]> ring = ring();
        private final EventPoller<int[]> poller = ring.newPoller();

        /** Fills the ring. */
        public BesidePoll() {
            ring.publish(ring.claim());
        }

        /** Claims. */
        @Actor
        public void publisher(I_Result result) {
            result.r1 = claim(ring, LONG);
        }

        /** Makes room. */
        @Actor
        public void consumer() {
            try {
                poller.poll((event, sequence, endOfBatch) -> true, 1);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Beside a failure. */
    @JCStressTest
    @JCStressMeta(WaitingPublisher.class)
    @State
    public static class BesideFailure {
        private final RingBuffer<int[]> ring = ring();

        /** Fills the ring. */
        public BesideFailure() {
            ring.newPoller();
            ring.publish(ring.claim());
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
    }

    /** Broken twin: makes room and wakes nobody. Must be found out. */
    @JCStressTest
    @JCStressMeta(WaitingPublisher.class)
    @State
    public static class BrokenRoom {
        private final RingBuffer<int[]> ring = ring();
        private final Sequence consumer = new Sequence();

        /** Fills the ring. */
        public BrokenRoom() {
            ring.addGating(consumer);
            ring.publish(ring.claim());
        }

        /** Claims. */
        @Actor
        public void publisher(I_Result result) {
            result.r1 = claim(ring, SHORT);
        }

        /** Makes room, once the publisher is likely to sleep: on a busy machine it seldom is so soon. */
        @Actor
        public void consumer() {
            LockSupport.parkNanos(ASLEEP_NANOS);
            consumer.setRelease(1);
        }
    }
}
