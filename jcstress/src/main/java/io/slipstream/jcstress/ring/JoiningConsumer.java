package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.RingBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A consumer that joins a ring of one event while events flow: what it joined at is not overwritten before it has
 * passed it.
 */
@Outcome(
        id = {"1, 0", "2, 1", "2, 2"},
        expect = Expect.ACCEPTABLE,
        desc = "publishers wait from where it joined")
@Outcome(expect = Expect.FORBIDDEN, desc = "an event that it should see was overwritten, or room not found")
public final class JoiningConsumer {
    private JoiningConsumer() {}

    private static int claimTwo(RingBuffer<int[]> ring) {
        int claims = 0;
        for (int i = 0; i < 2; i++) {
            long sequence = ring.tryClaim();
            if (sequence >= 0) {
                ring.publish(sequence);
                claims++;
            }
        }
        return claims;
    }

    private static int join(RingBuffer<int[]> ring) {
        EventPoller<int[]> poller = ring.newPoller();
        return (int) poller.sequence().getAcquire();
    }

    /** A ring with one publisher. */
    @JCStressTest
    @JCStressMeta(JoiningConsumer.class)
    @State
    public static class OfOnePublisher {
        private final RingBuffer<int[]> ring = RingBuffer.forOnePublisher(() -> new int[1], 1);

        /** Publishes two events if there is room. */
        @Actor
        public void publisher(II_Result result) {
            result.r1 = claimTwo(ring);
        }

        /** Joins. */
        @Actor
        public void consumer(II_Result result) {
            result.r2 = join(ring);
        }
    }

    /** A ring with many publishers. */
    @JCStressTest
    @JCStressMeta(JoiningConsumer.class)
    @State
    public static class OfManyPublishers {
        private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[1], 1);

        /** Publishes two events if there is room. */
        @Actor
        public void publisher(II_Result result) {
            result.r1 = claimTwo(ring);
        }

        /** Joins. */
        @Actor
        public void consumer(II_Result result) {
            result.r2 = join(ring);
        }
    }

    /** Two publishers, which both raise the limit. The second event has room only once the first one was published. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "1, 1", "2, 1", "2, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "publishers wait from where it joined")
    @Outcome(expect = Expect.FORBIDDEN, desc = "an event that it should see was overwritten")
    @State
    public static class BesideTwoPublishers {
        private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[1], 1);

        private void publishIfThereIsRoom() {
            long sequence = ring.tryClaim();
            if (sequence >= 0) {
                ring.publish(sequence);
            }
        }

        /** Publishes an event if there is room. */
        @Actor
        public void publisher() {
            publishIfThereIsRoom();
        }

        /** Does the same. */
        @Actor
        public void secondPublisher() {
            publishIfThereIsRoom();
        }

        /** Joins. */
        @Actor
        public void consumer(II_Result result) {
            result.r2 = join(ring);
        }

        /** Counts the claims. */
        @Arbiter
        public void count(II_Result result) {
            result.r1 = (int) ring.claimed();
        }
    }

    /** Broken twin: looks where publishers are, and only then makes them wait. Must be found out. */
    @JCStressTest
    @JCStressMeta(JoiningConsumer.class)
    @State
    public static class BrokenJoin {
        private volatile int tail;
        private volatile int gate = Integer.MAX_VALUE;

        /** Publishes two events if there is room. */
        @Actor
        public void publisher(II_Result result) {
            for (int i = 0; i < 2; i++) {
                int mine = tail;
                if (gate >= mine) {
                    tail = mine + 1;
                    result.r1++;
                }
            }
        }

        /** Joins. */
        @Actor
        public void consumer(II_Result result) {
            int position = tail;
            Thread.onSpinWait();
            gate = position;
            result.r2 = position;
        }
    }
}
