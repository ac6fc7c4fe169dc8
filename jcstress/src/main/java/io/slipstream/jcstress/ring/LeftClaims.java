package io.slipstream.jcstress.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequencer.MultiSequencer;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Others close what was claimed by a thread that ran out of stack, while publishers claim the same places for the next
 * lap. The result is how many events were seen that no one has published, and how many that someone has.
 */
@Outcome(id = "0, 2", expect = ACCEPTABLE, desc = "both that were published behind what was left")
@Outcome(expect = FORBIDDEN, desc = "something of what was left, or an event is lost")
public final class LeftClaims {
    private static final int PUBLISHED = 7;

    private LeftClaims() {}

    private static RingBuffer<int[]> newRing(int capacity) {
        return RingBuffer.forManyPublishers(() -> new int[1], capacity);
    }

    private static MultiSequencer sequencer(RingBuffer<int[]> ring) {
        return (MultiSequencer) ring.sequencer();
    }

    private static void leave(MultiSequencer many, long sequence) {
        many.stamps[(int) sequence & many.stamps.length - 1] =
                (int) (sequence >>> many.lapShift) + 1 ^ MultiSequencer.LEFT;
    }

    private static boolean tryPublish(RingBuffer<int[]> ring) {
        return ring.tryPublishEvent((event, sequence, value) -> event[0] = value, PUBLISHED);
    }

    private static void poll(EventPoller<int[]> poller, II_Result result) {
        try {
            poller.poll(
                    (event, sequence, endOfBatch) -> {
                        if (event[0] == PUBLISHED) {
                            result.r2++;
                        } else {
                            result.r1++;
                        }
                        return true;
                    },
                    10);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Nobody consumes, so that publishers close it, and none of them holds up the others. */
    @JCStressTest
    @JCStressMeta(LeftClaims.class)
    @State
    public static class ClosedByPublishers {
        private final RingBuffer<int[]> ring = newRing(1);

        /** Leaves the only place there is. */
        public ClosedByPublishers() {
            leave(sequencer(ring), ring.claim());
        }

        /** Publishes if there is room. */
        @Actor
        public void first() {
            tryPublish(ring);
        }

        /** Publishes if there is room. */
        @Actor
        public void second() {
            tryPublish(ring);
        }

        /** Looks whether what was claimed last is there, and whether it can be followed. */
        @Arbiter
        public void look(II_Result result) {
            result.r2 += ring.claimed() > 1 && ring.isAvailable(ring.claimed() - 1) ? 1 : 0;
            result.r2 += tryPublish(ring) && ring.isAvailable(ring.claimed() - 1) ? 1 : 0;
        }
    }

    /** Two consumers close the same one, and who is the second publishes in the next lap. */
    @JCStressTest
    @JCStressMeta(LeftClaims.class)
    @State
    public static class ClosedByConsumers {
        private final RingBuffer<int[]> ring = newRing(1);
        private final EventPoller<int[]> one = ring.newPoller();
        private final EventPoller<int[]> other = ring.newPoller();
        private final II_Result passed = new II_Result();

        /** Leaves the only place there is. */
        public ClosedByConsumers() {
            leave(sequencer(ring), ring.claim());
        }

        /** Polls and publishes. */
        @Actor
        public void first(II_Result result) {
            poll(one, result);
            tryPublish(ring);
        }

        /** Polls and publishes. */
        @Actor
        public void second() {
            poll(other, passed);
            tryPublish(ring);
        }

        /** Lets each see what is left to see. */
        @Arbiter
        public void look(II_Result result) {
            poll(one, result);
            poll(other, passed);
            while (result.r2 < 2 && tryPublish(ring)) {
                poll(one, result);
                poll(other, passed);
            }
            result.r1 += passed.r1;
            result.r2 = Math.min(result.r2, passed.r2);
        }
    }

    /** A batch of two whose second event was published: it is left from its end, as the thread does that leaves it. */
    @JCStressTest
    @JCStressMeta(LeftClaims.class)
    @State
    public static class LeftFromTheEnd extends Batch {
        /** Leaves both. */
        @Actor
        public void leaver() {
            leave(many, first + 1);
            many.ordered = true;
            if (many.ordered) {
                leave(many, first);
            }
        }

        /** Polls, and publishes in the next lap. */
        @Actor
        public void consumer(II_Result result) {
            pollAndPublish(result);
        }

        /** Publishes what found no room, and looks. */
        @Arbiter
        public void look(II_Result result) {
            publishRestAndPoll(result);
        }
    }

    /** Broken twin: it is left from its begin, so that others may pass the second event before. Must be found out. */
    @JCStressTest
    @JCStressMeta(LeftClaims.class)
    @State
    public static class BrokenLeaving extends Batch {
        /** Leaves both. */
        @Actor
        public void leaver() {
            leave(many, first);
            Thread.onSpinWait();
            leave(many, first + 1);
        }

        /** Polls, and publishes in the next lap. */
        @Actor
        public void consumer(II_Result result) {
            pollAndPublish(result);
        }

        /** Publishes what found no room, and looks. */
        @Arbiter
        public void look(II_Result result) {
            publishRestAndPoll(result);
        }
    }

    /** A ring with one batch of two, the second of which was published. */
    public static class Batch {
        private final RingBuffer<int[]> ring = newRing(2);
        private final EventPoller<int[]> poller = ring.newPoller();
        final MultiSequencer many = sequencer(ring);
        final long first = ring.claim(2);
        private int published;

        Batch() {
            many.publish(first + 1);
        }

        final void pollAndPublish(II_Result result) {
            poll(poller, result);
            while (published < 2 && tryPublish(ring)) {
                published++;
            }
        }

        final void publishRestAndPoll(II_Result result) {
            poll(poller, result);
            pollAndPublish(result);
            poll(poller, result);
        }
    }

    /** Broken twin: who closes it neither takes turns nor looks once more before. Must be found out. */
    @JCStressTest
    @JCStressMeta(LeftClaims.class)
    @State
    public static class BrokenClosing {
        private final AtomicInteger claims = new AtomicInteger(1);
        private volatile int stamp = 1 ^ MultiSequencer.LEFT;

        private boolean tryPublish() {
            if ((stamp ^ MultiSequencer.LEFT) == 1) {
                Thread.onSpinWait();
                stamp = 1;
            }
            int claim = stamp;
            if (claim != claims.get() || !claims.compareAndSet(claim, claim + 1)) {
                return false;
            }
            stamp = claim + 1;
            return true;
        }

        /** Publishes if there is room. */
        @Actor
        public void first() {
            tryPublish();
        }

        /** Publishes if there is room. */
        @Actor
        public void second() {
            tryPublish();
        }

        /** Looks whether what was claimed last is there, and whether it can be followed. */
        @Arbiter
        public void look(II_Result result) {
            result.r2 += claims.get() > 1 && stamp == claims.get() ? 1 : 0;
            result.r2 += tryPublish() ? 1 : 0;
        }
    }
}
