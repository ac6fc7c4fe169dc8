package io.slipstream.lincheck;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.thread.WaitStrategy;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * A publisher of a ring waits for no other thread, wherever that one is stopped: the checker stops each thread at each
 * of its steps, and objects when another cannot end its operation then. Those who join and leave may wait for each
 * other.
 */
class RingProgressTest {
    private static final int ITERATIONS = Integer.getInteger("slipstream.model.iterations", 1);
    /* The checker stops at the first scenario that fails, so a twin may have as many as it needs. */
    private static final int MOST_FOR_A_TWIN = 100;
    private static final int CAPACITY = 4;
    /* More than a publisher pauses for when another was faster, which is no wait for anybody. */
    private static final int LOOPS_THAT_WAIT_FOR_NOBODY = 32;

    @Test
    void manyPublishersWaitForNobody() {
        options().check(ManyPublishers.class);
    }

    @Test
    void onePublisherWaitsForNobody() {
        options().check(OnePublisher.class);
    }

    /* The broken twin: publishers and those who join take the same monitor. The checker must object. */
    @Test
    void theCheckerObjectsToAPublisherThatTakesAMonitor() {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> options().iterations(MOST_FOR_A_TWIN).check(BehindAMonitor.class));
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(ITERATIONS)
                .invocationsPerIteration(150)
                .threads(3)
                .actorsBefore(1)
                .actorsPerThread(2)
                .actorsAfter(2)
                .minimizeFailedScenario(false)
                .loopIterationsBeforeThreadSwitch(LOOPS_THAT_WAIT_FOR_NOBODY)
                .checkObstructionFreedom(true);
    }

    /** All publish; one of them also joins with consumers that pass nothing. */
    public static class ManyPublishers extends Ring {
        /** Creates the ring. */
        public ManyPublishers() {
            super(RingBuffer.forManyPublishers(() -> new long[1], CAPACITY, WaitStrategy.busySpin(), WhenFull.WAIT));
        }

        @Operation
        public boolean offer() {
            return publish();
        }
    }

    /** One publishes; another joins with consumers that pass nothing. */
    public static class OnePublisher extends Ring {
        /** Creates the ring. */
        public OnePublisher() {
            super(RingBuffer.forOnePublisher(() -> new long[1], CAPACITY, WaitStrategy.busySpin(), WhenFull.WAIT));
        }

        @Operation(nonParallelGroup = "publisher")
        public boolean offer() {
            return publish();
        }
    }

    /** Broken twin: as it was when raising the limit and joining excluded each other. */
    public static class BehindAMonitor extends ManyPublishers {
        @Override
        public boolean offer() {
            synchronized (ring) {
                return super.offer();
            }
        }

        @Override
        public long join() {
            synchronized (ring) {
                return super.join();
            }
        }
    }

    private abstract static class Ring {
        final RingBuffer<long[]> ring;
        private final EventPoller<long[]> poller;

        Ring(RingBuffer<long[]> ring) {
            this.ring = ring;
            this.poller = ring.newPoller();
        }

        boolean publish() {
            long sequence = ring.tryClaim();
            if (sequence >= 0) {
                ring.publish(sequence);
            }
            return sequence >= 0;
        }

        /**
         * Joins behind the publishers and leaves the ring as small as it was, since the first consumer stays where it
         * is.
         */
        @Operation(blocking = true, nonParallelGroup = "joining")
        public long join() {
            EventPoller<long[]> second = ring.newPoller(poller.sequence());
            long position = second.sequence().getAcquire();
            second.close();
            return position;
        }
    }
}
