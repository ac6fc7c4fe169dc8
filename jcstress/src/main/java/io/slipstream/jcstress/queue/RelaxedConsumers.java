package io.slipstream.jcstress.queue;

import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.OneToManyQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two threads that use {@code relaxedPoll} at once, and in one of the proofs {@code relaxedOffer}, too. */
public final class RelaxedConsumers {
    private RelaxedConsumers() {}

    /** Two consumers of a queue OneToMany. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class ConsumersOfOne extends RelaxedRaces {
        /** A queue with elements. */
        public ConsumersOfOne() {
            super(new OneToManyQueue<>(4), 3);
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

    /** Two consumers of a queue ManyToMany. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class ConsumersOfMany extends RelaxedRaces {
        /** A queue with elements. */
        public ConsumersOfMany() {
            super(new ManyToManyQueue<>(4), 3);
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

    /** Two threads that produce and consume, so that a slot goes from one to the other and back. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class BothSides extends RelaxedRaces {
        /** A queue with an element. */
        public BothSides() {
            super(new ManyToManyQueue<>(2), 1);
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
