package io.slipstream.jcstress.queue;

import io.slipstream.core.queue.GrowingManyToOneQueue;
import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.ManyToOneQueue;
import io.slipstream.core.queue.OneToManyQueue;
import io.slipstream.core.queue.OneToOneQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A producer and a consumer that use {@code relaxedOffer} and {@code relaxedPoll} at once, of each kind of queue. */
public final class RelaxedPairs {
    private RelaxedPairs() {}

    /**
     * A producer and a consumer of a queue OneToOne with one place free, where the second offer needs what the first
     * poll sets free.
     */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class OneToOne extends RelaxedRaces {
        /** A queue with an element. */
        public OneToOne() {
            super(new OneToOneQueue<>(2), 1);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
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

    /** The same of a queue ManyToOne. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class ManyToOne extends RelaxedRaces {
        /** A queue with an element. */
        public ManyToOne() {
            super(new ManyToOneQueue<>(2), 1);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
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

    /** The same of a queue OneToMany. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class OneToMany extends RelaxedRaces {
        /** A queue with an element. */
        public OneToMany() {
            super(new OneToManyQueue<>(2), 1);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
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

    /** The same of a queue ManyToMany. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class ManyToMany extends RelaxedRaces {
        /** A queue with an element. */
        public ManyToMany() {
            super(new ManyToManyQueue<>(2), 1);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
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

    /** The same of a queue that grows meanwhile. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class Growing extends RelaxedRaces {
        /** A queue with an element. */
        public Growing() {
            super(new GrowingManyToOneQueue<>(2, 4), 1);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
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
}
