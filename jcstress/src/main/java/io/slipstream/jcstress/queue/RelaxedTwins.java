package io.slipstream.jcstress.queue;

import io.slipstream.core.queue.ManyToOneQueue;
import io.slipstream.core.queue.OneToManyQueue;
import io.slipstream.core.queue.OneToOneQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken twins of {@link RelaxedRaces}: queues that are used as they must not be. Each must be found out. */
public final class RelaxedTwins {
    private RelaxedTwins() {}

    /** Broken twin: looks first, and does not look at what it then takes. Must be found out. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class BrokenRelaxedPoll extends RelaxedRaces {
        /** An empty queue. */
        public BrokenRelaxedPoll() {
            super(new OneToOneQueue<>(2), 0);
        }

        private void takeSeen(Side side) {
            Box seen = queue.peek();
            queue.relaxedPoll();
            if (seen != null) {
                side.took(seen);
            }
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
        }

        /** Takes twice what it has seen. */
        @Actor
        public void second() {
            takeSeen(second);
            takeSeen(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** Broken twin: two producers of a queue that is made for one. Must be found out. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class BrokenRelaxedProducers extends RelaxedRaces {
        /** An empty queue. */
        public BrokenRelaxedProducers() {
            super(new OneToManyQueue<>(4), 0);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
        }

        /** Offers twice. */
        @Actor
        public void second() {
            offer(second);
            offer(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** Broken twin: two consumers of a queue that is made for one. Must be found out. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class BrokenRelaxedConsumers extends RelaxedRaces {
        /** A queue with elements. */
        public BrokenRelaxedConsumers() {
            super(new ManyToOneQueue<>(4), 3);
        }

        /** Polls twice. */
        @Actor
        public void first() {
            poll(first);
            poll(first);
        }

        /** Polls twice. */
        @Actor
        public void second() {
            poll(second);
            poll(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /**
     * Broken twin: two threads that produce and consume, with a queue that is made for one of each. Must be found out.
     */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class BrokenRelaxedBothSides extends RelaxedRaces {
        /** A queue with an element. */
        public BrokenRelaxedBothSides() {
            super(new OneToOneQueue<>(2), 1);
        }

        /** Offers and polls. */
        @Actor
        public void first() {
            offer(first);
            poll(first);
        }

        /** Offers and polls. */
        @Actor
        public void second() {
            offer(second);
            poll(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }
}
