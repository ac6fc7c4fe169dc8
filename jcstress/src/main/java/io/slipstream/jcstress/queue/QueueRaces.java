package io.slipstream.jcstress.queue;

import io.slipstream.core.queue.BoundedQueue;
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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A full queue, and a close beside an offer. */
public final class QueueRaces {
    private QueueRaces() {}

    private static int orZero(Integer taken) {
        return taken == null ? 0 : taken;
    }

    /** A consumer and a producer on a full queue, whose place is given from hand to hand. */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "1, 3"},
            expect = Expect.ACCEPTABLE,
            desc = "in order")
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

    /** An offer beside a close of a queue for one consumer. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "false, false"},
            expect = Expect.ACCEPTABLE,
            desc = "accepted and there, or refused")
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
    @Outcome(
            id = {"true, true", "false, false"},
            expect = Expect.ACCEPTABLE,
            desc = "accepted and drained, or refused")
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
}
