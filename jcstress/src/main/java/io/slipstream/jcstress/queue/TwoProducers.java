package io.slipstream.jcstress.queue;

import io.slipstream.core.queue.BoundedQueue;
import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.ManyToOneQueue;
import io.slipstream.core.queue.OneToManyQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Two producers and one place: one of them gets it. */
@Outcome(
        id = {"true, false", "false, true"},
        expect = Expect.ACCEPTABLE,
        desc = "one of them")
@Outcome(expect = Expect.FORBIDDEN, desc = "the bound was broken, or room not found")
public final class TwoProducers {
    private TwoProducers() {}

    private static BoundedQueue<Integer> withOneElement(BoundedQueue<Integer> queue) {
        queue.offer(0);
        return queue;
    }

    /** Of a queue ManyToOne. */
    @JCStressTest
    @JCStressMeta(TwoProducers.class)
    @State
    public static class ToOne {
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

    /** Of a queue ManyToMany, whose other place is taken. */
    @JCStressTest
    @JCStressMeta(TwoProducers.class)
    @State
    public static class ToMany {
        private final BoundedQueue<Integer> queue = withOneElement(new ManyToManyQueue<>(2));

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

    /** Broken twin: of a queue that is made for one producer. Must be found out. */
    @JCStressTest
    @JCStressMeta(TwoProducers.class)
    @State
    public static class BrokenTwoProducers {
        private final BoundedQueue<Integer> queue = new OneToManyQueue<>(1);

        /** Offers. */
        @Actor
        public void first(ZZ_Result result) {
            result.r1 = queue.relaxedOffer(1);
        }

        /** Offers. */
        @Actor
        public void second(ZZ_Result result) {
            result.r2 = queue.relaxedOffer(2);
        }
    }
}
