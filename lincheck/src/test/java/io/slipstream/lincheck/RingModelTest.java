package io.slipstream.lincheck;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.thread.WaitStrategy;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Claims of one and of two, publish and poll of a ring of two events behave as those of a bounded queue, whatever the
 * schedule.
 */
class RingModelTest {
    private static final int ITERATIONS = Integer.getInteger("slipstream.model.iterations", 2);
    private static final int MOST_FOR_THE_TWIN = 100;
    private static final int CAPACITY = 2;

    @Test
    void onePublisherAndOneConsumerAreLinearizable() {
        options().check(OnePublisher.class);
    }

    @Test
    void manyPublishersAreLinearizable() {
        options().check(ManyPublishers.class);
    }

    /* The broken twin: an offer that claims without looking whether another publisher does. The checker must object. */
    @Test
    void theCheckerObjectsToAClaimThatIsNotAtomic() {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> options().iterations(MOST_FOR_THE_TWIN).check(BrokenRing.class));
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(ITERATIONS)
                .invocationsPerIteration(150)
                .threads(2)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(2)
                .minimizeFailedScenario(false)
                .sequentialSpecification(BoundedFifo.class);
    }

    /** One thread offers, one polls. */
    public static class OnePublisher extends Ring {
        /** Creates the ring. */
        public OnePublisher() {
            super(RingBuffer.forOnePublisher(() -> new long[1], CAPACITY, WaitStrategy.busySpin(), WhenFull.WAIT));
        }

        @Operation(nonParallelGroup = "publisher")
        public boolean offer(int value) {
            return publish(value);
        }

        @Operation(nonParallelGroup = "publisher")
        public boolean offerTwo(int first, int second) {
            return publishTwo(first, second);
        }

        @Operation(nonParallelGroup = "consumer")
        public @Nullable Integer poll() throws Exception {
            return take();
        }
    }

    /**
     * Both threads offer, one of them polls. An event that is claimed and not yet published hides those behind it, so
     * that a poll that finds nothing is no proof that the ring is empty; this one waits for what is under way.
     */
    public static class ManyPublishers extends Ring {
        /** Creates the ring. */
        public ManyPublishers() {
            super(RingBuffer.forManyPublishers(() -> new long[1], CAPACITY, WaitStrategy.busySpin(), WhenFull.WAIT));
        }

        @Operation
        public boolean offer(int value) {
            return publish(value);
        }

        @Operation
        public boolean offerTwo(int first, int second) {
            return publishTwo(first, second);
        }

        @Operation(nonParallelGroup = "consumer")
        public @Nullable Integer poll() throws Exception {
            Integer value = take();
            while (value == null && ring.claimed() > poller.sequence().getAcquire()) {
                Thread.onSpinWait();
                value = take();
            }
            return value;
        }
    }

    private abstract static class Ring {
        final RingBuffer<long[]> ring;
        final EventPoller<long[]> poller;

        @Nullable
        Integer taken;

        Ring(RingBuffer<long[]> ring) {
            this.ring = ring;
            this.poller = ring.newPoller();
        }

        boolean publish(int value) {
            long sequence = ring.tryClaim();
            if (sequence < 0) {
                return false;
            }
            ring.get(sequence)[0] = value;
            ring.publish(sequence);
            return true;
        }

        boolean publishTwo(int first, int second) {
            long sequence = ring.tryClaim(2);
            if (sequence < 0) {
                return false;
            }
            ring.get(sequence)[0] = first;
            ring.get(sequence + 1)[0] = second;
            ring.publish(sequence, 2);
            return true;
        }

        @Nullable
        Integer take() throws Exception {
            taken = null;
            poller.poll(
                    (event, sequence, endOfBatch) -> {
                        taken = (int) event[0];
                        return true;
                    },
                    1);
            return taken;
        }
    }

    /** Two offers may take the same place. */
    public static class BrokenRing {
        private final long[] values = new long[CAPACITY];
        private volatile long tail;
        private volatile long head;

        @Operation
        public boolean offer(int value) {
            long mine = tail;
            if (mine - head == CAPACITY) {
                return false;
            }
            values[(int) mine & (CAPACITY - 1)] = value;
            tail = mine + 1;
            return true;
        }

        @Operation
        public boolean offerTwo(int first, int second) {
            return head == tail && offer(first) && offer(second);
        }

        @Operation(nonParallelGroup = "consumer")
        public @Nullable Integer poll() {
            if (head == tail) {
                return null;
            }
            int value = (int) values[(int) head & (CAPACITY - 1)];
            head++;
            return value;
        }
    }
}
