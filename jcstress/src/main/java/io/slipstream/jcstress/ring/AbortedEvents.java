package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.RingBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A consumer never sees an aborted event. */
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "skipped, or not there yet")
@Outcome(expect = Expect.FORBIDDEN, desc = "an aborted event")
public final class AbortedEvents {
    private AbortedEvents() {}

    private static int poll(EventPoller<int[]> poller) {
        int[] seen = {0};
        try {
            poller.poll(
                    (event, sequence, endOfBatch) -> {
                        seen[0] = event[0];
                        return true;
                    },
                    1);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return seen[0];
    }

    /** By one of many publishers. */
    @JCStressTest
    @JCStressMeta(AbortedEvents.class)
    @State
    public static class ByOneOfMany {
        private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[] {9}, 2);
        private final EventPoller<int[]> poller = ring.newPoller();

        /** Aborts. */
        @Actor
        public void publisher() {
            ring.abort(ring.claim());
        }

        /** Polls. */
        @Actor
        public void consumer(I_Result result) {
            result.r1 = poll(poller);
        }
    }

    /** Broken twin: aborts what it has published, which is refused. Must be found out. */
    @JCStressTest
    @JCStressMeta(AbortedEvents.class)
    @State
    public static class BrokenAbort {
        private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[] {9}, 2);
        private final EventPoller<int[]> poller = ring.newPoller();

        /** Aborts. */
        @Actor
        public void publisher() {
            long sequence = ring.claim();
            ring.publish(sequence);
            Thread.onSpinWait();
            try {
                ring.abort(sequence);
            } catch (IllegalStateException e) {
                // It is too late.
            }
        }

        /** Polls. */
        @Actor
        public void consumer(I_Result result) {
            result.r1 = poll(poller);
        }
    }
}
