package io.slipstream.core.queue;

import io.slipstream.core.ring.Sequence;
import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * A bounded queue for one producing and one consuming thread; neither ever waits for the other.
 *
 * <p>A slot is free if it is null, so that neither side reads the other's index (FastFlow: Giacomoni, Moseley and
 * Vachharajani, PPoPP 2008). The producer looks a quarter of the queue ahead: if the slot there is free then so are all before
 * it, and it need not look again until it gets there (B-Queue: Wang, Zhang, Tang and Hua, 2013).
 *
 * @param <E> what the queue holds; never null
 */
public final class OneToOneQueue<E> extends ArrayBackedQueue<E> {
    private static final int LONGEST_LOOK_AHEAD = 4096;

    private final int lookAhead;
    /** Below this index the producer knows every slot to be free; touched by the producer alone. */
    private final Sequence producerLimit = new Sequence();

    /**
     * Creates an empty queue.
     *
     * @param capacity from 1 to 2^30; rounded up to a power of two
     */
    public OneToOneQueue(int capacity) {
        super(capacity, 1);
        this.lookAhead = Math.clamp(capacity() / 4, 1, LONGEST_LOOK_AHEAD);
    }

    @Override
    public boolean offer(E element) {
        Objects.requireNonNull(element, "element");
        long index = producerIndex.getPlain();
        if (index >= producerLimit.getPlain() && !hasRoom(index)) {
            return false;
        }
        put(index, element);
        return true;
    }

    @Override
    public boolean relaxedOffer(E element) {
        return offer(element);
    }

    @Override
    public int fill(Supplier<? extends E> supplier, int limit) {
        int count = 0;
        while (count < limit) {
            long index = producerIndex.getPlain();
            if (index >= producerLimit.getPlain() && !hasRoom(index)) {
                break;
            }
            put(index, supply(supplier));
            count++;
        }
        return count;
    }

    @Override
    public @Nullable E poll() {
        long index = consumerIndex.getPlain();
        Object value = slotAcquire(index);
        if (value == null) {
            return null;
        }
        slotRelease(index, null);
        consumerIndex.setRelease(index + 1);
        return element(value);
    }

    @Override
    public @Nullable E relaxedPoll() {
        return poll();
    }

    @Override
    public @Nullable E peek() {
        Object value = slotAcquire(consumerIndex.getPlain());
        return value == null ? null : element(value);
    }

    private void put(long index, Object element) {
        slotRelease(index, element);
        producerIndex.setRelease(index + 1);
    }

    private boolean hasRoom(long index) {
        if (slotAcquire(index + lookAhead) == null) {
            producerLimit.setRelease(index + lookAhead);
            return true;
        }
        return slotAcquire(index) == null;
    }
}
