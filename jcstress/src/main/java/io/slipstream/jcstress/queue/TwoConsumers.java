package io.slipstream.jcstress.queue;

import io.slipstream.core.queue.BoundedQueue;
import io.slipstream.core.queue.GrowingManyToOneQueue;
import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.ManyToOneQueue;
import io.slipstream.core.queue.OneToManyQueue;
import io.slipstream.core.queue.OneToOneQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two consumers and one element: one of them gets it. */
@Outcome(
        id = {"7, 0", "0, 7"},
        expect = Expect.ACCEPTABLE,
        desc = "one of them")
@Outcome(expect = Expect.FORBIDDEN, desc = "doubled or lost")
public final class TwoConsumers {
    private TwoConsumers() {}

    private static BoundedQueue<Integer> withOneElement(BoundedQueue<Integer> queue) {
        queue.offer(7);
        return queue;
    }

    private static int orZero(Integer taken) {
        return taken == null ? 0 : taken;
    }

    /** Of a queue ManyToMany. */
    @JCStressTest
    @JCStressMeta(TwoConsumers.class)
    @State
    public static class OfMany {
        private final BoundedQueue<Integer> queue = withOneElement(new ManyToManyQueue<>(2));

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

    /** Of a queue OneToMany. */
    @JCStressTest
    @JCStressMeta(TwoConsumers.class)
    @State
    public static class OfOne {
        private final BoundedQueue<Integer> queue = withOneElement(new OneToManyQueue<>(2));

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

    /** Broken twin: of a queue that is made for one producer and one consumer. Must be found out. */
    @JCStressTest
    @JCStressMeta(TwoConsumers.class)
    @State
    public static class BrokenTwoConsumersOneToOne {
        private final BoundedQueue<Integer> queue = withOneElement(new OneToOneQueue<>(2));

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

    /** Broken twin: of a queue ManyToOne. Must be found out. */
    @JCStressTest
    @JCStressMeta(TwoConsumers.class)
    @State
    public static class BrokenTwoConsumersManyToOne {
        private final BoundedQueue<Integer> queue = withOneElement(new ManyToOneQueue<>(2));

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

    /** Broken twin: of a queue that grows. Must be found out. */
    @JCStressTest
    @JCStressMeta(TwoConsumers.class)
    @State
    public static class BrokenTwoConsumersGrowing {
        private final BoundedQueue<Integer> queue = withOneElement(new GrowingManyToOneQueue<>(2, 4));

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
