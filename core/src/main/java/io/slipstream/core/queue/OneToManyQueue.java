package io.slipstream.core.queue;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Patience;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue for one producing thread and any number of consuming threads; each element goes to one of them.
 *
 * <p>The producer needs no atomic update; a consumer claims an index below the producer's with one compare-and-set and
 * then empties its slot. A consumer that is suspended in between holds the producer up when that slot's turn comes
 * again.
 *
 * @param <E> what the queue holds; never null
 */
public final class OneToManyQueue<E> extends ArrayBackedQueue<E> {
    /** How far the producer was known to be; consumers look at its index only when they reach this. */
    private final Sequence consumerLimit = new Sequence();

    /**
     * Creates an empty queue.
     *
     * @param capacity from 1 to 2^30; rounded up to a power of two
     */
    public OneToManyQueue(int capacity) {
        super(capacity, 1);
    }

    @Override
    public boolean offer(E element) {
        Objects.requireNonNull(element, "element");
        long index = producerIndex.getPlain();
        if (slotAcquire(index) != null && !awaitRoom(index)) {
            return false;
        }
        put(index, element);
        return true;
    }

    @Override
    public boolean relaxedOffer(E element) {
        Objects.requireNonNull(element, "element");
        long index = producerIndex.getPlain();
        if (slotAcquire(index) != null) {
            return false;
        }
        put(index, element);
        return true;
    }

    @Override
    public int fill(Supplier<? extends E> supplier, int limit) {
        Objects.requireNonNull(supplier, "supplier");
        int count = 0;
        while (count < limit) {
            long index = producerIndex.getPlain();
            if (slotAcquire(index) != null && !awaitRoom(index)) {
                break;
            }
            put(index, supply(supplier));
            count++;
        }
        return count;
    }

    @Override
    public @Nullable E poll() {
        long limit = consumerLimit.getAcquire();
        long index;
        do {
            index = consumerIndex.getAcquire();
            if (index >= limit) {
                limit = producerIndex.getAcquire();
                if (index >= limit) {
                    return null;
                }
                consumerLimit.setRelease(limit);
            }
        } while (!consumerIndex.compareAndSet(index, index + 1));
        return take(index);
    }

    @Override
    public @Nullable E relaxedPoll() {
        long index = consumerIndex.getAcquire();
        if (index >= consumerLimit.getAcquire()) {
            long limit = producerIndex.getAcquire();
            if (index >= limit) {
                return null;
            }
            consumerLimit.setRelease(limit);
        }
        return consumerIndex.compareAndSet(index, index + 1) ? take(index) : null;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Each element is claimed by itself. A run of them could be claimed at once, but not given back when the
     * consumer throws; and until it was handed over, producers would wait for its places, and other consumers could not
     * help.
     */
    @Override
    public int drain(Consumer<? super E> consumer, int limit) {
        Objects.requireNonNull(consumer, "consumer");
        int count = 0;
        while (count < limit) {
            E element = poll();
            if (element == null) {
                break;
            }
            count++;
            consumer.accept(element);
        }
        return count;
    }

    @Override
    public @Nullable E peek() {
        while (true) {
            long index = consumerIndex.getAcquire();
            if (index >= producerIndex.getAcquire()) {
                return null;
            }
            Object value = slotAcquire(index);
            if (value != null && consumerIndex.getAcquire() == index) {
                return element(value);
            }
        }
    }

    private E take(long index) {
        Object value = Objects.requireNonNull(slotAcquire(index));
        slotRelease(index, null);
        return element(value);
    }

    private void put(long index, Object element) {
        slotRelease(index, element);
        producerIndex.setRelease(index + 1);
    }

    /**
     * Returns whether the slot of {@code index} is free, or will be as soon as the consumer that claimed it has emptied
     * it.
     */
    private boolean awaitRoom(long index) {
        if (index - consumerIndex.getAcquire() >= capacity()) {
            return false;
        }
        int spins = 0;
        while (slotAcquire(index) != null) {
            spins = Patience.pause(spins);
        }
        return true;
    }
}
