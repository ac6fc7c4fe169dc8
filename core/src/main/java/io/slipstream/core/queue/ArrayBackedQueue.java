package io.slipstream.core.queue;

import io.slipstream.core.memory.PaddedLong;
import io.slipstream.core.sequence.Sequence;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the queues over one circular array share: the array, the two indices, and the views that are only estimates.
 *
 * <p>Indices grow for ever; the slot of index {@code i} is {@code i & mask}. Each index stands on cache lines of its
 * own.
 */
abstract class ArrayBackedQueue<E> extends AbstractQueue<E> implements BoundedQueue<E> {
    static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    /**
     * Set in the producers' index of a queue that was closed; larger than every limit, so that only slow paths see it.
     */
    static final long CLOSED = 1L << 62;

    /** Stands where a supplier has failed after its slot was claimed; consumers skip it. */
    static final Object GAP = new Object();

    private static final int MAX_CAPACITY = 1 << 30;
    static final int FIRST_BACKOFF_SPINS = 16;
    private static final int LONGEST_BACKOFF_SPINS = 512;

    final @Nullable Object[] buffer;
    final int mask;
    final PaddedLong producerIndex;
    final PaddedLong consumerIndex;

    /** Written and read between two assignments that others must see in their order, where nothing can be called. */
    volatile boolean ordered;

    ArrayBackedQueue(int capacity, int minimum) {
        this(new @Nullable Object[roundUp(capacity, minimum)], new Sequence(), new Sequence());
    }

    ArrayBackedQueue(@Nullable Object[] buffer, PaddedLong producerIndex, PaddedLong consumerIndex) {
        this.buffer = buffer;
        this.mask = buffer.length - 1;
        this.producerIndex = producerIndex;
        this.consumerIndex = consumerIndex;
    }

    static int roundUp(int capacity, int minimum) {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("a queue has from 1 to " + MAX_CAPACITY + " places, not " + capacity);
        }
        int needed = Math.max(capacity, minimum);
        return needed == 1 ? 1 : Integer.highestOneBit(needed - 1) << 1;
    }

    @Override
    public final int capacity() {
        return mask + 1;
    }

    @Override
    public final boolean add(E element) {
        if (!offer(element)) {
            throw refused(this, element);
        }
        return true;
    }

    /**
     * Adds all elements of {@code elements}.
     *
     * @throws IllegalArgumentException if that is this queue, or a view of it
     * @throws IllegalStateException    if one was refused; those before it were added
     */
    @Override
    public final boolean addAll(Collection<? extends E> elements) {
        requireOther(this, elements);
        return super.addAll(elements);
    }

    /** Makes sure that nothing is added of a queue to itself, where it would find what it has just added. */
    static void requireOther(BoundedQueue<?> queue, Collection<?> elements) {
        if (elements == queue || elements instanceof WaitingQueue<?> view && view.isOf(queue)) {
            throw new IllegalArgumentException("a queue cannot be added to itself");
        }
    }

    /** Returns what an {@code add} throws whose offer was refused. */
    static IllegalStateException refused(BoundedQueue<?> queue, Object element) {
        return new IllegalStateException((queue.isClosed()
                        ? "the queue was closed"
                        : "the queue is full, with " + queue.capacity() + " elements")
                + "; refused: " + element);
    }

    @Override
    public final int size() {
        return sizeBetween(producerIndex, consumerIndex, capacity());
    }

    @Override
    public final boolean isEmpty() {
        return consumerIndex.getAcquire() >= (producerIndex.getAcquire() & ~CLOSED);
    }

    /**
     * Reads both indices until the consumers' one stands still between, so that the difference was true at one moment.
     */
    static int sizeBetween(PaddedLong producer, PaddedLong consumer, int capacity) {
        long after = consumer.getAcquire();
        long before;
        long produced;
        do {
            before = after;
            produced = producer.getAcquire() & ~CLOSED;
            after = consumer.getAcquire();
        } while (before != after);
        return Math.clamp(produced - after, 0, capacity);
    }

    final int slot(long index) {
        return (int) index & mask;
    }

    final @Nullable Object slotAcquire(long index) {
        return SLOT.getAcquire(buffer, slot(index));
    }

    final void slotRelease(long index, @Nullable Object element) {
        SLOT.setRelease(buffer, slot(index), element);
    }

    /**
     * Who has lost a race pauses, so that the winner makes a run of claims while it owns the line (Dice and others,
     * 2013). A virtual thread does not, as it must not keep its carrier from others.
     *
     * @return how many spins to pause after the next lost race of the same call: twice as many
     */
    static int backOff(int spins) {
        if (!Thread.currentThread().isVirtual()) {
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
            }
        }
        return Math.min(2 * spins, LONGEST_BACKOFF_SPINS);
    }

    @SuppressWarnings("unchecked")
    static <E> E element(Object value) {
        return (E) value;
    }

    static <E> E supply(Supplier<? extends E> supplier) {
        return Objects.requireNonNull(supplier.get(), "the supplier returned null");
    }

    /** Returns what an iterator's {@code remove} throws, and with it every method that removes from the middle. */
    static UnsupportedOperationException noRemovalFromTheMiddle() {
        return new UnsupportedOperationException("a queue without locks cannot remove an element from its middle;"
                + " poll, drain and clear take elements from its front");
    }

    /** Goes over the elements that are there now; some may be missed or seen after they were taken. */
    @Override
    public final Iterator<E> iterator() {
        return new Snapshot(consumerIndex.getAcquire(), producerIndex.getAcquire() & ~CLOSED);
    }

    private final class Snapshot implements Iterator<E> {
        private final long end;
        private long index;
        private @Nullable Object next;

        /* Others may have moved both ends since the first was read; slots of what is further back are used again. */
        Snapshot(long start, long end) {
            this.index = Math.max(start, end - capacity());
            this.end = end;
            advance();
        }

        private void advance() {
            next = null;
            while (next == null && index < end) {
                Object value = slotAcquire(index++);
                next = value == GAP ? null : value;
            }
        }

        @Override
        public boolean hasNext() {
            return next != null;
        }

        @Override
        public E next() {
            Object value = next;
            if (value == null) {
                throw new NoSuchElementException();
            }
            advance();
            return element(value);
        }

        @Override
        public void remove() {
            throw noRemovalFromTheMiddle();
        }
    }
}
