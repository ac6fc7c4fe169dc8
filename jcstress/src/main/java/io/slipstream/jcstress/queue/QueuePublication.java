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
import org.openjdk.jcstress.infra.results.I_Result;

/** Who takes an element sees everything that its producer wrote before offering it. */
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "not there yet")
@Outcome(id = "42", expect = Expect.ACCEPTABLE, desc = "the whole element")
@Outcome(expect = Expect.FORBIDDEN, desc = "an element that is not whole")
public final class QueuePublication {
    private QueuePublication() {}

    /** An element with a field that nothing but the queue publishes. */
    static final class Box {
        int value;
    }

    static void offer(BoundedQueue<Box> queue) {
        Box box = new Box();
        box.value = 42;
        queue.offer(box);
    }

    static int poll(BoundedQueue<Box> queue) {
        Box box = queue.poll();
        return box == null ? 0 : box.value == 42 ? 42 : -1;
    }

    /** Through a queue OneToOne. */
    @JCStressTest
    @JCStressMeta(QueuePublication.class)
    @State
    public static class OneToOne {
        private final BoundedQueue<Box> queue = new OneToOneQueue<>(2);

        /** Offers. */
        @Actor
        public void producer() {
            offer(queue);
        }

        /** Polls. */
        @Actor
        public void consumer(I_Result result) {
            result.r1 = poll(queue);
        }
    }

    /** Through a queue ManyToOne. */
    @JCStressTest
    @JCStressMeta(QueuePublication.class)
    @State
    public static class ManyToOne {
        private final BoundedQueue<Box> queue = new ManyToOneQueue<>(2);

        /** Offers. */
        @Actor
        public void producer() {
            offer(queue);
        }

        /** Polls. */
        @Actor
        public void consumer(I_Result result) {
            result.r1 = poll(queue);
        }
    }

    /** Through a queue OneToMany. */
    @JCStressTest
    @JCStressMeta(QueuePublication.class)
    @State
    public static class OneToMany {
        private final BoundedQueue<Box> queue = new OneToManyQueue<>(2);

        /** Offers. */
        @Actor
        public void producer() {
            offer(queue);
        }

        /** Polls. */
        @Actor
        public void consumer(I_Result result) {
            result.r1 = poll(queue);
        }
    }

    /** Through a queue ManyToMany. */
    @JCStressTest
    @JCStressMeta(QueuePublication.class)
    @State
    public static class ManyToMany {
        private final BoundedQueue<Box> queue = new ManyToManyQueue<>(2);

        /** Offers. */
        @Actor
        public void producer() {
            offer(queue);
        }

        /** Polls. */
        @Actor
        public void consumer(I_Result result) {
            result.r1 = poll(queue);
        }
    }

    /** Through a queue Growing. */
    @JCStressTest
    @JCStressMeta(QueuePublication.class)
    @State
    public static class Growing {
        private final BoundedQueue<Box> queue = new GrowingManyToOneQueue<>(2, 4);

        /** Offers. */
        @Actor
        public void producer() {
            offer(queue);
        }

        /** Polls. */
        @Actor
        public void consumer(I_Result result) {
            result.r1 = poll(queue);
        }
    }

    /** Broken twin: offers the element first and writes it a moment later. Must be found out. */
    @JCStressTest
    @JCStressMeta(QueuePublication.class)
    @State
    public static class BrokenOffer {
        private final BoundedQueue<Box> queue = new ManyToManyQueue<>(2);

        /** Offers. */
        @Actor
        public void producer() {
            Box box = new Box();
            queue.offer(box);
            Thread.onSpinWait();
            box.value = 42;
        }

        /** Polls. */
        @Actor
        public void consumer(I_Result result) {
            result.r1 = poll(queue);
        }
    }
}
