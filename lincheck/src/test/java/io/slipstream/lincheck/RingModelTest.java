package io.slipstream.lincheck;

import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.thread.WaitStrategy;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayDeque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Claim, publish and poll of a ring of two events behave as those of a bounded queue, whatever the schedule. */
@Timeout(120)
class RingModelTest {
    private static final int ITERATIONS = Integer.getInteger("slipstream.model.iterations", 4);
    private static final int CAPACITY = 2;
    private static final int NOTHING = Integer.MIN_VALUE;

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
                .isThrownBy(() -> options().iterations(60).check(BrokenRing.class));
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions().iterations(ITERATIONS).invocationsPerIteration(150).threads(2).actorsBefore(1)
                .actorsPerThread(3).actorsAfter(2).minimizeFailedScenario(false)
                .sequentialSpecification(BoundedQueue.class);
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

        @Operation(nonParallelGroup = "consumer")
        public int poll() throws Exception {
            return take();
        }
    }

    /**
     * Both threads offer, one of them polls. An event that is claimed and not yet published hides those behind it, so that a
     * poll that finds nothing is no proof that the ring is empty; this one waits for what is under way.
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

        @Operation(nonParallelGroup = "consumer")
        public int poll() throws Exception {
            int value = take();
            while (value == NOTHING && ring.claimed() > poller.sequence().getAcquire()) {
                Thread.onSpinWait();
                value = take();
            }
            return value;
        }
    }

    private abstract static class Ring {
        final RingBuffer<long[]> ring;
        final EventPoller<long[]> poller;
        long taken;

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

        int take() throws Exception {
            taken = NOTHING;
            poller.poll((event, sequence, endOfBatch) -> {
                taken = event[0];
                return true;
            }, 1);
            return (int) taken;
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

        @Operation(nonParallelGroup = "consumer")
        public int poll() {
            if (head == tail) {
                return NOTHING;
            }
            int value = (int) values[(int) head & (CAPACITY - 1)];
            head++;
            return value;
        }
    }

    /** The specification. */
    public static class BoundedQueue {
        private final ArrayDeque<Integer> queue = new ArrayDeque<>();

        public boolean offer(int value) {
            return queue.size() < CAPACITY && queue.add(value);
        }

        public int poll() {
            Integer value = queue.poll();
            return value == null ? NOTHING : value;
        }
    }

    @Test
    void theSpecificationItselfIsAQueue() {
        BoundedQueue queue = new BoundedQueue();
        assertThat(queue.offer(1) && queue.offer(2) && !queue.offer(3)).isTrue();
        assertThat(queue.poll()).isEqualTo(1);
    }
}
