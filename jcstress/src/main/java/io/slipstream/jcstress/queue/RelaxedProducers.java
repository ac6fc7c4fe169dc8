package io.slipstream.jcstress.queue;

import io.slipstream.core.queue.GrowingManyToOneQueue;
import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.ManyToOneQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two producers that use {@code relaxedOffer} at once. */
public final class RelaxedProducers {
    private RelaxedProducers() {}

    /** Two producers of a queue ManyToOne that has not room for all. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class ProducersToOne extends RelaxedRaces {
        /** An empty queue. */
        public ProducersToOne() {
            super(new ManyToOneQueue<>(2), 0);
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

    /** Two producers of a queue ManyToMany that has not room for all. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class ProducersToMany extends RelaxedRaces {
        /** An empty queue. */
        public ProducersToMany() {
            super(new ManyToManyQueue<>(2), 0);
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

    /** Two producers of a queue that grows meanwhile. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class ProducersWhileItGrows extends RelaxedRaces {
        /** An empty queue. */
        public ProducersWhileItGrows() {
            super(new GrowingManyToOneQueue<>(2, 4), 0);
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
}
