package io.slipstream.jcstress.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.RingFailedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Whatever a claim that raises the limit does at the same time, a failure stays: the next claim fails. */
@Outcome(id = "true", expect = ACCEPTABLE, desc = "the failure stayed")
@Outcome(expect = FORBIDDEN, desc = "the failure was overwritten")
public final class FailedRing {
    private FailedRing() {}

    private static boolean claimFails(RingBuffer<int[]> ring) {
        try {
            ring.tryClaim();
            return false;
        } catch (RingFailedException e) {
            return true;
        }
    }

    /** A ring with one publisher. */
    @JCStressTest
    @JCStressMeta(FailedRing.class)
    @State
    public static class OfOnePublisher {
        private final RingBuffer<int[]> ring = RingBuffer.forOnePublisher(() -> new int[1], 4);

        /** Claims, which raises the limit; that may fail already. */
        @Actor
        public void publisher() {
            claimFails(ring);
        }

        /** Fails. */
        @Actor
        public void consumer() {
            ring.fail("stopped", null);
        }

        /** Claims again. */
        @Arbiter
        public void later(Z_Result result) {
            result.r1 = claimFails(ring);
        }
    }

    /** A ring for many publishers. */
    @JCStressTest
    @JCStressMeta(FailedRing.class)
    @State
    public static class OfManyPublishers {
        private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[1], 4);

        /** Claims, which raises the limit; that may fail already. */
        @Actor
        public void publisher() {
            claimFails(ring);
        }

        /** Fails. */
        @Actor
        public void consumer() {
            ring.fail("stopped", null);
        }

        /** Claims again. */
        @Arbiter
        public void later(Z_Result result) {
            result.r1 = claimFails(ring);
        }
    }

    /** A ring for many publishers, two of which raise the limit; with three threads, so not on two processors. */
    @JCStressTest
    @JCStressMeta(FailedRing.class)
    @State
    public static class BesideTwoPublishers {
        private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[1], 4);

        /** Claims, which raises the limit; that may fail already. */
        @Actor
        public void publisher() {
            claimFails(ring);
        }

        /** Does the same. */
        @Actor
        public void secondPublisher() {
            claimFails(ring);
        }

        /** Fails. */
        @Actor
        public void consumer() {
            ring.fail("stopped", null);
        }

        /** Claims again. */
        @Arbiter
        public void later(Z_Result result) {
            result.r1 = claimFails(ring);
        }
    }
}
