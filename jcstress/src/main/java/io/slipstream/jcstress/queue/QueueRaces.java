package io.slipstream.jcstress.queue;

import io.slipstream.core.queue.BoundedQueue;
import io.slipstream.core.queue.GrowingManyToOneQueue;
import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.ManyToOneQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

import java.util.Arrays;

/** A full queue, one that grows, and a close beside an offer. */
public final class QueueRaces {
    private QueueRaces() {
    }

    private static int orZero(Integer taken) {
        return taken == null ? 0 : taken;
    }

    /** A consumer and a producer on a full queue, whose place is given from hand to hand. */
    @JCStressTest
    @Outcome(id = {"1, 2", "1, 3"}, expect = Expect.ACCEPTABLE, desc = "in order")
    @Outcome(expect = Expect.FORBIDDEN, desc = "out of order or lost")
    @State
    public static class FullQueue {
        private final BoundedQueue<Integer> queue = new ManyToOneQueue<>(1);
        private boolean accepted;

        /** Fills it. */
        public FullQueue() {
            queue.offer(1);
        }

        /** Offers. */
        @Actor
        public void producer() {
            accepted = queue.offer(2);
        }

        /** Polls. */
        @Actor
        public void consumer(II_Result result) {
            result.r1 = orZero(queue.poll());
        }

        /** Polls what was accepted; 3 stands for nothing, if nothing was. */
        @Arbiter
        public void rest(II_Result result) {
            int left = orZero(queue.poll());
            result.r2 = accepted ? left : left == 0 ? 3 : -1;
        }
    }

    /** Two producers, the first of whom finds the array full and links a larger one. */
    @JCStressTest
    @Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "all are there")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost or doubled")
    @State
    public static class TwoProducersWhileItGrows {
        private final GrowingManyToOneQueue<Integer> queue = new GrowingManyToOneQueue<>(2, 4);

        /** Fills the first array. */
        public TwoProducersWhileItGrows() {
            queue.offer(1);
        }

        /** Offers. */
        @Actor
        public void first() {
            queue.offer(2);
        }

        /** Offers. */
        @Actor
        public void second() {
            queue.offer(3);
        }

        /** Counts. */
        @Arbiter
        public void rest(I_Result result) {
            int sum = 0;
            int count = 0;
            Integer taken;
            while ((taken = queue.poll()) != null) {
                sum += taken;
                count++;
            }
            result.r1 = sum == 6 ? count : -1;
        }
    }

    /** An offer beside a close of a queue for one consumer. */
    @JCStressTest
    @Outcome(id = {"true, true", "false, false"}, expect = Expect.ACCEPTABLE, desc = "accepted and there, or refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "accepted and lost, or refused and there")
    @State
    public static class OfferBesideCloseToOne {
        private final ManyToOneQueue<Integer> queue = new ManyToOneQueue<>(2);

        /** Offers. */
        @Actor
        public void producer(ZZ_Result result) {
            result.r1 = queue.offer(1);
        }

        /** Closes. */
        @Actor
        public void closer() {
            queue.close();
        }

        /** Looks what is there. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r2 = queue.poll() != null;
        }
    }

    /** An offer beside a close and a drain of a queue for many consumers. */
    @JCStressTest
    @Outcome(id = {"true, true", "false, false"}, expect = Expect.ACCEPTABLE, desc = "accepted and drained, or refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "accepted and lost, or refused and there")
    @State
    public static class OfferBesideCloseAndDrain {
        private final ManyToManyQueue<Integer> queue = new ManyToManyQueue<>(2);

        /** Offers. */
        @Actor
        public void producer(ZZ_Result result) {
            result.r1 = queue.offer(1);
        }

        /** Closes, and from then on nothing may come any more. */
        @Actor
        public void closer(ZZ_Result result) {
            queue.close();
            result.r2 = queue.poll() != null;
        }
    }

    /** Broken twin: an offer that asks first whether the queue was closed. Must be found out. */
    @JCStressTest
    @JCStressMeta(OfferBesideCloseAndDrain.class)
    @State
    public static class BrokenOfferBesideClose {
        private final ManyToManyQueue<Integer> queue = new ManyToManyQueue<>(2);
        private volatile boolean closed;

        /** Offers. */
        @Actor
        public void producer(ZZ_Result result) {
            if (!closed) {
                Thread.onSpinWait();
                result.r1 = queue.offer(1);
            }
        }

        /** Closes, and from then on nothing may come any more. */
        @Actor
        public void closer(ZZ_Result result) {
            closed = true;
            result.r2 = queue.poll() != null;
        }
    }

    /** Broken twin: a producer that links a larger array without keeping the others away. Must be found out. */
    @JCStressTest
    @JCStressMeta(TwoProducersWhileItGrows.class)
    @State
    public static class BrokenGrowth {
        private volatile int[] items = {1, 0};
        private volatile int end = 1;

        private synchronized int claim() {
            return end++;
        }

        private void offer(int item) {
            int mine = claim();
            int[] present = items;
            if (mine == present.length) {
                present = Arrays.copyOf(present, 2 * mine);
                items = present;
            }
            if (mine < present.length) {
                present[mine] = item;
            }
        }

        /** Offers. */
        @Actor
        public void first() {
            offer(2);
        }

        /** Offers. */
        @Actor
        public void second() {
            offer(3);
        }

        /** Counts. */
        @Arbiter
        public void rest(I_Result result) {
            int sum = 0;
            int count = 0;
            for (int item : items) {
                sum += item;
                count += item == 0 ? 0 : 1;
            }
            result.r1 = sum == 6 ? count : -1;
        }
    }
}
