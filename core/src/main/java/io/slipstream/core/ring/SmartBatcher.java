package io.slipstream.core.ring;

import io.slipstream.core.thread.Duty;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Smart batching: takes whatever has arrived, hands it on as one batch, and never waits for more.
 *
 * <p>While the device is busy with one batch, the next one gathers in the ring. So the batches grow with the load, a
 * lone message is not held up, and the latency under load is a bathtub and no hockey stick. (Martin Thompson, "Smart
 * Batching", 2011.) The frames of a batch stay in the ring until the sink has returned: whoever is gated by the
 * poller's sequence sees them afterwards.
 *
 * @param <X> what the sink may throw
 */
public final class SmartBatcher<X extends Exception> implements Duty {
    private final FrameRing ring;
    private final FramePoller poller;
    private final int maxBatchBytes;
    private final Sink<X> sink;

    /**
     * Where the batches go: a journal, sockets.
     *
     * @param <X> what it may throw
     */
    @FunctionalInterface
    public interface Sink<X extends Exception> {
        /**
         * Takes a batch of whole frames that lie side by side; they may be used during the call alone.
         *
         * @return how many bytes of it were taken: all, or, if there is no room for all, a part that ends with a frame;
         *         the rest stays in the ring and is offered again
         * @throws X if the sink cannot go on; the batch stays in the ring, and is offered again if the duty is run
         *           again
         */
        int onBatch(MemorySegment memory, long offset, int bytes) throws X;
    }

    /**
     * Creates a batcher.
     *
     * @param poller        consumes {@code ring}; nothing else may poll it
     * @param maxBatchBytes what the device likes best to get at once; a larger frame makes a batch of its own
     * @throws IllegalArgumentException if {@code maxBatchBytes} is not positive
     */
    public SmartBatcher(FrameRing ring, FramePoller poller, int maxBatchBytes, Sink<X> sink) {
        this.ring = Objects.requireNonNull(ring, "ring");
        this.poller = Objects.requireNonNull(poller, "poller");
        if (maxBatchBytes < 1) {
            throw new IllegalArgumentException("a batch has at least 1 byte, not " + maxBatchBytes);
        }
        this.maxBatchBytes = maxBatchBytes;
        this.sink = Objects.requireNonNull(sink, "sink");
    }

    /**
     * Hands one batch on, if there is one; returns the bytes that were taken.
     *
     * @throws IllegalArgumentException if the sink says that it took what no part of the batch has; the batch stays in
     *                                  the ring
     */
    @Override
    public int work() throws X {
        int bytes = poller.peekRun(maxBatchBytes);
        if (bytes == 0) {
            return 0;
        }
        int taken = sink.onBatch(ring.memory(), poller.runOffset(), bytes);
        poller.release(taken);
        return taken;
    }
}
