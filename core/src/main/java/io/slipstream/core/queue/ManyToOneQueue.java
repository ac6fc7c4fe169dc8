package io.slipstream.core.queue;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Patience;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue for any number of producing threads and one consuming thread.
 *
 * <p>A producer claims an index with one compare-and-set and then fills its slot; the consumer needs no atomic update
 * at all. The producers share a limit below which they know of room, and look at the consumer's index only when they
 * reach it (after Dmitry Vyukov's and Nitsan Wakart's array queues). A producer that is suspended between its claim and
 * its fill holds the consumer up, but no other producer.
 *
 * <p>The queue can be {@linkplain #close closed}: each offer then either was accepted before or fails, and the consumer
 * takes what is left.
 *
 * @param <E> what the queue holds; never null
 */
public final class ManyToOneQueue<E> extends ArrayBackedQueue<E> {
    private final Sequence producerLimit;

    /**
     * Creates an empty queue.
     *
     * @param capacity from 1 to 2^30; rounded up to a power of two
     */
    public ManyToOneQueue(int capacity) {
        super(capacity, 1);
        this.producerLimit = new Sequence(capacity());
    }

    @Override
    public boolean offer(E element) {
        Objects.requireNonNull(element, "element");
        long limit = producerLimit.getAcquire();
        while (true) {
            long index = producerIndex.getAcquire();
            if (index >= limit) {
                limit = consumerIndex.getAcquire() + capacity();
                if (index >= limit) {
                    return false;
                }
                producerLimit.setRelease(limit);
            }
            if (producerIndex.compareAndSet(index, index + 1)) {
                try {
                    slotRelease(index, element);
                } catch (StackOverflowError e) {
                    // What is claimed is filled without a call then, behind what the caller has written to it.
                    ordered = true;
                    if (ordered) {
                        buffer[(int) index & mask] = element;
                    }
                }
                return true;
            }
            backOff(FIRST_BACKOFF_SPINS);
        }
    }

    @Override
    public boolean relaxedOffer(E element) {
        Objects.requireNonNull(element, "element");
        long index = producerIndex.getAcquire();
        if (index >= producerLimit.getAcquire()) {
            long limit = consumerIndex.getAcquire() + capacity();
            if (index >= limit) {
                return false;
            }
            producerLimit.setRelease(limit);
        }
        if (!producerIndex.compareAndSet(index, index + 1)) {
            return false;
        }
        try {
            slotRelease(index, element);
        } catch (StackOverflowError e) {
            ordered = true;
            if (ordered) {
                buffer[(int) index & mask] = element;
            }
        }
        return true;
    }

    @Override
    public int fill(Supplier<? extends E> supplier, int limit) {
        Objects.requireNonNull(supplier, "supplier");
        long index;
        long room;
        do {
            index = producerIndex.getAcquire();
            room = Math.min(limit, consumerIndex.getAcquire() + capacity() - index);
            if (room <= 0) {
                return 0;
            }
        } while (!producerIndex.compareAndSet(index, index + room));
        fillClaimed(supplier, index, index + room);
        return (int) room;
    }

    /** Fills the claimed slots; if the supplier fails, the rest become gaps, since a claim cannot be given back. */
    private void fillClaimed(Supplier<? extends E> supplier, long start, long end) {
        long index = start;
        try {
            while (index < end) {
                slotRelease(index, supply(supplier));
                index++;
            }
        } finally {
            while (index < end) {
                slotRelease(index++, GAP);
            }
        }
    }

    @Override
    public @Nullable E poll() {
        while (true) {
            long index = consumerIndex.getPlain();
            Object value = slotAcquire(index);
            if (value == null) {
                if (index == (producerIndex.getAcquire() & ~CLOSED)) {
                    return null;
                }
                value = awaitElement(index);
            }
            take(index);
            if (value != GAP) {
                return element(value);
            }
        }
    }

    @Override
    public @Nullable E relaxedPoll() {
        while (true) {
            long index = consumerIndex.getPlain();
            Object value = slotAcquire(index);
            if (value == null) {
                return null;
            }
            take(index);
            if (value != GAP) {
                return element(value);
            }
        }
    }

    @Override
    public @Nullable E peek() {
        while (true) {
            long index = consumerIndex.getPlain();
            Object value = slotAcquire(index);
            if (value == null) {
                if (index == (producerIndex.getAcquire() & ~CLOSED)) {
                    return null;
                }
                value = awaitElement(index);
            }
            if (value != GAP) {
                return element(value);
            }
            take(index);
        }
    }

    @Override
    public void close() {
        long index;
        do {
            index = producerIndex.getAcquire();
        } while (index < CLOSED && !producerIndex.compareAndSet(index, index | CLOSED));
    }

    @Override
    public boolean isClosed() {
        return producerIndex.getAcquire() >= CLOSED;
    }

    private void take(long index) {
        buffer[slot(index)] = null;
        consumerIndex.setRelease(index + 1);
    }

    private Object awaitElement(long index) {
        int spins = 0;
        while (true) {
            Object value = slotAcquire(index);
            if (value != null) {
                return value;
            }
            spins = Patience.pause(spins);
        }
    }
}
