package io.slipstream.core.queue;

import io.slipstream.core.thread.WaitStrategy;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue for one producing and one consuming thread; neither ever waits for the other.
 *
 * <p>A slot is free if it is null, so that neither side reads the other's index (FastFlow: Giacomoni, Moseley and
 * Vachharajani, PPoPP 2008). The producer looks a quarter of the queue ahead: if the slot there is free then so are all
 * before it, and it need not look again until it gets there (B-Queue: Wang, Zhang, Tang and Hua, 2013).
 *
 * @param <E> what the queue holds; never null
 */
public final class OneToOneQueue<E> extends ArrayBackedQueue<E> {

    private final End producer;
    private final End consumer;

    /** One side of the queue. */
    private static final class End extends OneToOneEnd.Padded {
        End(@Nullable Object[] slots) {
            super(slots);
        }

        boolean hasRoom(long index) {
            if (SLOT.getAcquire(slots, (int) (index + lookAhead) & slots.length - 1) == null) {
                limit = index + lookAhead;
                return true;
            }
            return SLOT.getAcquire(slots, (int) index & slots.length - 1) == null;
        }
    }

    /**
     * Creates an empty queue.
     *
     * @param capacity from 1 to 2^30; rounded up to a power of two
     */
    public OneToOneQueue(int capacity) {
        this(new @Nullable Object[roundUp(capacity, 1)]);
    }

    private OneToOneQueue(@Nullable Object[] slots) {
        this(slots, new End(slots), new End(slots));
    }

    private OneToOneQueue(@Nullable Object[] slots, End producer, End consumer) {
        super(slots, producer, consumer);
        this.producer = producer;
        this.consumer = consumer;
    }

    @Override
    public boolean offer(E element) {
        Objects.requireNonNull(element, "element");
        End end = producer;
        long index = end.getPlain();
        if (index >= end.limit && !end.hasRoom(index)) {
            return false;
        }
        put(end, index, element);
        return true;
    }

    /** As {@link #offer}, but the element is added with the order of a volatile. */
    boolean offerVolatile(E element) {
        Objects.requireNonNull(element, "element");
        End end = producer;
        long index = end.getPlain();
        if (index >= end.limit && !end.hasRoom(index)) {
            return false;
        }
        SLOT.getAndSet(end.slots, (int) index & end.slots.length - 1, element);
        end.setRelease(index + 1);
        return true;
    }

    /** As {@link #poll}, but the place is given back with the order of a volatile. */
    @Nullable
    E pollVolatile() {
        End end = consumer;
        @Nullable Object[] slots = end.slots;
        long index = end.getPlain();
        int slot = (int) index & slots.length - 1;
        Object value = SLOT.getAcquire(slots, slot);
        if (value == null) {
            return null;
        }
        SLOT.getAndSet(slots, slot, null);
        end.setRelease(index + 1);
        return element(value);
    }

    @Override
    public WaitingQueue<E> waiting(WaitStrategy strategy) {
        Objects.requireNonNull(strategy, "strategy");
        return strategy.wakeable() ? new WaitingOneToOneQueue<>(this, strategy) : super.waiting(strategy);
    }

    @Override
    public boolean relaxedOffer(E element) {
        return offer(element);
    }

    @Override
    public int fill(Supplier<? extends E> supplier, int limit) {
        Objects.requireNonNull(supplier, "supplier");
        End end = producer;
        long begin = end.getPlain();
        long stop = begin + Math.max(0, limit);
        long index = begin;
        while (index < stop && (index < end.limit || end.hasRoom(index))) {
            put(end, index++, supply(supplier));
        }
        return (int) (index - begin);
    }

    private static void put(End end, long index, Object element) {
        @Nullable Object[] slots = end.slots;
        int last = slots.length - 1;
        // There is a slot. Where the compiler sees that, the access needs no check of its bounds.
        if (last >= 0) {
            SLOT.setRelease(slots, (int) index & last, element);
            end.setRelease(index + 1);
        }
    }

    @Override
    public @Nullable E poll() {
        End end = consumer;
        @Nullable Object[] slots = end.slots;
        int last = slots.length - 1;
        if (last < 0) {
            return null;
        }
        long index = end.getPlain();
        int slot = (int) index & last;
        Object value = SLOT.getAcquire(slots, slot);
        if (value == null) {
            return null;
        }
        // The index, whose store has release order, tells of this one no earlier than it is there.
        slots[slot] = null;
        end.setRelease(index + 1);
        return element(value);
    }

    @Override
    public int drain(Consumer<? super E> consumer, int limit) {
        Objects.requireNonNull(consumer, "consumer");
        End end = this.consumer;
        @Nullable Object[] slots = end.slots;
        int last = slots.length - 1;
        long index = end.getPlain();
        int count = 0;
        while (count < limit && last >= 0) {
            int slot = (int) index & last;
            Object value = SLOT.getAcquire(slots, slot);
            if (value == null) {
                break;
            }
            slots[slot] = null;
            end.setRelease(index + 1);
            count++;
            consumer.accept(element(value));
            // The consumer may have taken some itself.
            index = end.getPlain();
        }
        return count;
    }

    @Override
    public @Nullable E relaxedPoll() {
        return poll();
    }

    @Override
    public @Nullable E peek() {
        Object value = slotAcquire(consumer.getPlain());
        return value == null ? null : element(value);
    }
}
