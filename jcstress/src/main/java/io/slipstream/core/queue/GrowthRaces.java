package io.slipstream.core.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A queue that grows while others offer. It stands in the package of the queue to reach its parts. */
public final class GrowthRaces {
    private GrowthRaces() {}

    /** Two producers, the first of whom finds the array full and links a larger one. */
    @JCStressTest
    @Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "all are there")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost or doubled")
    @State
    public static class TwoProducersWhileItGrows {
        private final GrowingManyToOneQueue<Integer> queue;

        /** The first array has one place, beside that of the jump. */
        public TwoProducersWhileItGrows() {
            this(new GrowingManyToOneQueue<>(2, 4));
        }

        TwoProducersWhileItGrows(GrowingManyToOneQueue<Integer> queue) {
            this.queue = queue;
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

    /**
     * Broken twin: a producer that finds the array full links a larger one without keeping the others away. Must be
     * found out.
     */
    @JCStressTest
    @JCStressMeta(TwoProducersWhileItGrows.class)
    @State
    public static class BrokenGrowth extends TwoProducersWhileItGrows {
        /** The first array has one place. */
        public BrokenGrowth() {
            super(new GrowingManyToOneQueue<>(2, 4) {
                @Override
                boolean claimGrowth(long index) {
                    return true;
                }
            });
        }

        /** Offers. */
        @Override
        @Actor
        public void first() {
            super.first();
        }

        /** Offers. */
        @Override
        @Actor
        public void second() {
            super.second();
        }

        /** Counts. */
        @Override
        @Arbiter
        public void rest(I_Result result) {
            super.rest(result);
        }
    }
}
