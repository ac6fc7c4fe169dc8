package io.slipstream.jcstress.queue;

import io.slipstream.core.queue.BoundedQueue;
import io.slipstream.core.queue.GrowingManyToOneQueue;
import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.ManyToOneQueue;
import io.slipstream.core.queue.OneToManyQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Two threads on the same side of a queue, or a close beside an offer. */
public final class QueueRaces {
    private QueueRaces() {
    }

    private static int orZero(Integer taken) {
        return taken == null ? 0 : taken;
    }

    /** Two producers and one place. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true"}, expect = Expect.ACCEPTABLE, desc = "one of them")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the bound was broken, or room not found")
    @State
    public static class TwoProducersOnePlace {
        private final BoundedQueue<Integer> queue = new ManyToOneQueue<>(1);

        /** Offers. */
        @Actor
        public void first(ZZ_Result result) {
            result.r1 = queue.offer(1);
        }

        /** Offers. */
        @Actor
        public void second(ZZ_Result result) {
            result.r2 = queue.offer(2);
        }
    }

    /** Two producers and one place among two. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true"}, expect = Expect.ACCEPTABLE, desc = "one of them")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the bound was broken, or room not found")
    @State
    public static class TwoProducersOnePlaceLeft {
        private final BoundedQueue<Integer> queue = new ManyToManyQueue<>(2);

        /** Takes one of two places. */
        public TwoProducersOnePlaceLeft() {
            queue.offer(0);
        }

        /** Offers. */
        @Actor
        public void first(ZZ_Result result) {
            result.r1 = queue.offer(1);
        }

        /** Offers. */
        @Actor
        public void second(ZZ_Result result) {
            result.r2 = queue.offer(2);
        }
    }

    /** Two consumers and one element. */
    @JCStressTest
    @Outcome(id = {"7, 0", "0, 7"}, expect = Expect.ACCEPTABLE, desc = "one of them")
    @Outcome(expect = Expect.FORBIDDEN, desc = "doubled or lost")
    @State
    public static class TwoConsumersOfMany {
        private final BoundedQueue<Integer> queue = new ManyToManyQueue<>(2);

        /** Puts the element in. */
        public TwoConsumersOfMany() {
            queue.offer(7);
        }

        /** Polls. */
        @Actor
        public void first(II_Result result) {
            result.r1 = orZero(queue.poll());
        }

        /** Polls. */
        @Actor
        public void second(II_Result result) {
            result.r2 = orZero(queue.poll());
        }
    }

    /** Two consumers and one element of one producer. */
    @JCStressTest
    @Outcome(id = {"7, 0", "0, 7"}, expect = Expect.ACCEPTABLE, desc = "one of them")
    @Outcome(expect = Expect.FORBIDDEN, desc = "doubled or lost")
    @State
    public static class TwoConsumersOfOne {
        private final BoundedQueue<Integer> queue = new OneToManyQueue<>(2);

        /** Puts the element in. */
        public TwoConsumersOfOne() {
            queue.offer(7);
        }

        /** Polls. */
        @Actor
        public void first(II_Result result) {
            result.r1 = orZero(queue.poll());
        }

        /** Polls. */
        @Actor
        public void second(II_Result result) {
            result.r2 = orZero(queue.poll());
        }
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

    /** Broken twin: two consumers of a queue that is made for one. Must be found out. */
    @JCStressTest
    @Outcome(id = {"7, 0", "0, 7"}, expect = Expect.ACCEPTABLE, desc = "one of them")
    @Outcome(expect = Expect.FORBIDDEN, desc = "doubled or lost")
    @State
    public static class BrokenTwoConsumers {
        private final BoundedQueue<Integer> queue = new ManyToOneQueue<>(2);

        /** Puts the element in. */
        public BrokenTwoConsumers() {
            queue.offer(7);
        }

        /** Polls. */
        @Actor
        public void first(II_Result result) {
            result.r1 = orZero(queue.relaxedPoll());
        }

        /** Polls. */
        @Actor
        public void second(II_Result result) {
            result.r2 = orZero(queue.relaxedPoll());
        }
    }
}
