package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.EventObserver;
import io.slipstream.core.ring.RingBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** An observer beside the publisher that overwrites what it copies. */
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "overwritten, and the next not published yet")
@Outcome(id = {"1, 1", "2, 2"}, expect = Expect.ACCEPTABLE, desc = "a whole event")
@Outcome(expect = Expect.FORBIDDEN, desc = "half of one event and half of another")
public final class ObserverCopies {
    private ObserverCopies() {
    }

    private static void publish(RingBuffer<int[]> ring, int value) {
        long sequence = ring.claim();
        int[] event = ring.get(sequence);
        event[0] = value;
        Thread.onSpinWait();
        event[1] = value;
        ring.publish(sequence);
    }

    private static void copy(int[] event, II_Result target) {
        target.r1 = event[0];
        target.r2 = event[1];
    }

    /** The observer of a ring with one publisher. */
    @JCStressTest
    @JCStressMeta(ObserverCopies.class)
    @State
    public static class OfOnePublisher {
        private final RingBuffer<int[]> ring = RingBuffer.forOnePublisher(() -> new int[2], 1);
        private final EventObserver<int[]> observer = ring.newObserver();

        /** Publishes the first event. */
        public OfOnePublisher() {
            publish(ring, 1);
        }

        /** Overwrites it. */
        @Actor
        public void publisher() {
            publish(ring, 2);
        }

        /** Copies. */
        @Actor
        public void observer(II_Result result) {
            if (!observer.poll(ObserverCopies::copy, result)) {
                result.r1 = 0;
                result.r2 = 0;
            }
        }
    }

    /** The observer of a ring with many publishers. */
    @JCStressTest
    @JCStressMeta(ObserverCopies.class)
    @State
    public static class OfManyPublishers {
        private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[2], 1);
        private final EventObserver<int[]> observer = ring.newObserver();

        /** Publishes the first event. */
        public OfManyPublishers() {
            publish(ring, 1);
        }

        /** Overwrites it. */
        @Actor
        public void publisher() {
            publish(ring, 2);
        }

        /** Copies. */
        @Actor
        public void observer(II_Result result) {
            if (!observer.poll(ObserverCopies::copy, result)) {
                result.r1 = 0;
                result.r2 = 0;
            }
        }
    }

    /** Broken twin: copies without looking whether it was overwritten meanwhile. Must be found out. */
    @JCStressTest
    @JCStressMeta(ObserverCopies.class)
    @State
    public static class BrokenObserver {
        private final RingBuffer<int[]> ring = RingBuffer.forOnePublisher(() -> new int[2], 1);

        /** Publishes the first event. */
        public BrokenObserver() {
            publish(ring, 1);
        }

        /** Overwrites it. */
        @Actor
        public void publisher() {
            publish(ring, 2);
        }

        /** Copies. */
        @Actor
        public void observer(II_Result result) {
            copy(ring.get(0), result);
        }
    }
}
