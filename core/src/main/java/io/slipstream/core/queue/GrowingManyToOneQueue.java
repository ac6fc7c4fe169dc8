package io.slipstream.core.queue;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Patience;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.AbstractQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue for any number of producing threads and one consuming thread that begins small and grows up to a bound.
 *
 * <p>It is a chain of circular arrays. A producer that finds the last array full links one of twice the size behind it;
 * the consumer follows when it has emptied the former, which then is garbage. A queue that has found its size allocates
 * nothing more, and never shrinks. Indices go in steps of two: an odd producers' index says that an array is being
 * linked, and other producers wait that moment (after Nitsan Wakart's linked-array queues). If there is no memory for
 * it, the offer throws {@link OutOfMemoryError} and the queue stays as it was.
 *
 * @param <E> what the queue holds; never null
 */
public class GrowingManyToOneQueue<E> extends AbstractQueue<E> implements BoundedQueue<E> {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle PRODUCER_CHUNK = fieldVarHandle(
            MethodHandles.lookup(), "producerChunk", VarHandle.class, GrowingManyToOneQueue.class, Chunk.class);
    private static final Object GAP = ArrayBackedQueue.GAP;

    /** Stands where the elements go on in the next array. */
    private static final Object JUMP = new Object();

    private final int capacity;
    private final IntFunction<@Nullable Object[]> arrays;
    private final Sequence producerIndex = new Sequence();
    private final Sequence consumerIndex = new Sequence();
    private final Sequence producerLimit;
    private Chunk producerChunk;
    private Chunk consumerChunk;

    /** Written and read between two assignments that others must see in their order, where nothing can be called. */
    private volatile boolean ordered;

    /** One circular array; {@code next} is set before the jump that leads to it is visible. */
    private static final class Chunk {
        final @Nullable Object[] items;
        final int mask;

        @Nullable
        Chunk next;

        Chunk(@Nullable Object[] items) {
            this.items = items;
            this.mask = items.length - 1;
        }

        int slot(long index) {
            return (int) (index >>> 1) & mask;
        }

        @Nullable
        Object itemAcquire(long index) {
            return SLOT.getAcquire(items, slot(index));
        }

        void itemRelease(long index, @Nullable Object item) {
            SLOT.setRelease(items, slot(index), item);
        }
    }

    /**
     * Creates an empty queue.
     *
     * @param initialCapacity places at first, from 2; rounded up to a power of two
     * @param capacity        places at most, not less than {@code initialCapacity} and at most 2^30; rounded up to a
     *                        power of two
     */
    public GrowingManyToOneQueue(int initialCapacity, int capacity) {
        this(initialCapacity, capacity, size -> new @Nullable Object[size]);
    }

    /** As the other one, with a source of arrays that may fail. */
    GrowingManyToOneQueue(int initialCapacity, int capacity, IntFunction<@Nullable Object[]> arrays) {
        if (initialCapacity < 2 || capacity < initialCapacity) {
            throw new IllegalArgumentException("a growing queue begins with at least 2 places and does not shrink, not "
                    + initialCapacity + " to " + capacity);
        }
        this.capacity = ArrayBackedQueue.roundUp(capacity, 2);
        this.arrays = arrays;
        Chunk first = new Chunk(arrays.apply(ArrayBackedQueue.roundUp(initialCapacity, 2)));
        this.producerChunk = first;
        this.consumerChunk = first;
        this.producerLimit = new Sequence(usableWidth(first));
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public boolean offer(E element) {
        Objects.requireNonNull(element, "element");
        return put(element, null, true);
    }

    /**
     * Adds all elements of {@code elements}.
     *
     * @throws IllegalArgumentException if that is this queue, or a view of it
     * @throws IllegalStateException    if one was refused; those before it were added
     */
    @Override
    public boolean addAll(Collection<? extends E> elements) {
        ArrayBackedQueue.requireOther(this, elements);
        return super.addAll(elements);
    }

    @Override
    public boolean add(E element) {
        if (!offer(element)) {
            throw ArrayBackedQueue.refused(this, element);
        }
        return true;
    }

    @Override
    public boolean relaxedOffer(E element) {
        Objects.requireNonNull(element, "element");
        return put(element, null, false);
    }

    @Override
    public int fill(Supplier<? extends E> supplier, int limit) {
        Objects.requireNonNull(supplier, "supplier");
        int count = 0;
        while (count < limit) {
            int claimed = fillRun(supplier, limit - count);
            if (claimed == 0 && put(GAP, supplier, true)) {
                claimed = 1;
            }
            if (claimed == 0) {
                break;
            }
            count += claimed;
        }
        return count;
    }

    /** Claims as many places at once as are known to be free, and fills them; returns how many. */
    private int fillRun(Supplier<? extends E> supplier, int most) {
        long index = producerIndex.getAcquire();
        Chunk chunk = (Chunk) PRODUCER_CHUNK.getAcquire(this);
        long run = Math.min(most, producerLimit.getAcquire() - index >> 1);
        // If the index is still that one, the array and the limit are those of it.
        if ((index & 1) != 0 || run <= 0 || !producerIndex.compareAndSet(index, index + 2 * run)) {
            return 0;
        }
        long end = index + 2 * run;
        try {
            while (index < end) {
                index += 2;
                place(chunk, index - 2, GAP, supplier);
            }
        } finally {
            // If the supplier fails, the rest become gaps, since a claim cannot be given back.
            for (; index < end; index += 2) {
                chunk.itemRelease(index, GAP);
            }
        }
        return (int) run;
    }

    /** Adds {@code element}, or what {@code supplier} gives once there is room for it. */
    private boolean put(Object element, @Nullable Supplier<? extends E> supplier, boolean insist) {
        int spins = 0;
        while (true) {
            long index = producerIndex.getAcquire();
            if ((index & 1) != 0) {
                spins = Patience.pause(spins);
            } else {
                Chunk chunk = (Chunk) PRODUCER_CHUNK.getAcquire(this);
                if (index < producerLimit.getAcquire()) {
                    if (producerIndex.compareAndSet(index, index + 2)) {
                        try {
                            place(chunk, index, element, supplier);
                        } catch (StackOverflowError e) {
                            if (supplier != null) {
                                throw e;
                            }
                            // What is claimed is filled without a call then, behind what the caller has written.
                            ordered = true;
                            if (ordered) {
                                chunk.items[(int) (index >> 1) & chunk.mask] = element;
                            }
                        }
                        return true;
                    }
                } else {
                    long consumed = consumerIndex.getAcquire();
                    if (index >= consumed + 2L * capacity) {
                        return false;
                    }
                    if (index < consumed + usableWidth(chunk)) {
                        raiseLimit(consumed + usableWidth(chunk));
                        continue;
                    }
                    if (claimGrowth(index)) {
                        place(grow(index, chunk), index, element, supplier);
                        return true;
                    }
                }
            }
            if (!insist) {
                return false;
            }
        }
    }

    /**
     * Returns how far apart the indices in a chunk may be: one slot of every chunk but the last stays free for the
     * jump.
     */
    private long usableWidth(Chunk chunk) {
        int size = chunk.items.length;
        return 2L * (size == capacity ? size : size - 1);
    }

    /** A limit computed from an outdated chunk is too low, never too high; so the limit only has to grow. */
    private void raiseLimit(long limit) {
        long known = producerLimit.getAcquire();
        if (known < limit) {
            producerLimit.compareAndSet(known, limit);
        }
    }

    private static <E> void place(Chunk chunk, long index, Object element, @Nullable Supplier<? extends E> supplier) {
        Object item = GAP;
        try {
            item = supplier == null ? element : ArrayBackedQueue.supply(supplier);
        } finally {
            chunk.itemRelease(index, item);
        }
    }

    /** Makes the index odd, which keeps the other producers away, unless one of them has moved it. */
    boolean claimGrowth(long index) {
        return producerIndex.compareAndSet(index, index + 1);
    }

    /** Links a larger chunk while the index is odd, so that this thread is alone, and lets the others go on in it. */
    private Chunk grow(long index, Chunk chunk) {
        Chunk larger = newChunk(Math.min(2 * chunk.items.length, capacity), index);
        chunk.next = larger;
        PRODUCER_CHUNK.setRelease(this, larger);
        producerLimit.setRelease(Math.min(consumerIndex.getAcquire() + 2L * capacity, index + usableWidth(larger)));
        chunk.itemRelease(index, JUMP);
        producerIndex.setRelease(index + 2);
        return larger;
    }

    /** If there is no memory, the next producer shall try, so all are let go on before this one fails. */
    private Chunk newChunk(int size, long index) {
        boolean made = false;
        try {
            Chunk chunk = new Chunk(arrays.apply(size));
            made = true;
            return chunk;
        } finally {
            if (!made) {
                producerIndex.setRelease(index);
            }
        }
    }

    @Override
    public @Nullable E poll() {
        return poll(true);
    }

    @Override
    public @Nullable E relaxedPoll() {
        return poll(false);
    }

    private @Nullable E poll(boolean insist) {
        while (true) {
            long index = consumerIndex.getPlain();
            Object item = first(index, insist);
            if (item == null) {
                return null;
            }
            consumerChunk.itemRelease(index, null);
            consumerIndex.setRelease(index + 2);
            if (item != GAP) {
                return ArrayBackedQueue.element(item);
            }
        }
    }

    @Override
    public @Nullable E peek() {
        while (true) {
            long index = consumerIndex.getPlain();
            Object item = first(index, true);
            if (item == null) {
                return null;
            }
            if (item != GAP) {
                return ArrayBackedQueue.element(item);
            }
            consumerChunk.itemRelease(index, null);
            consumerIndex.setRelease(index + 2);
        }
    }

    /** Returns what is at {@code index}, having followed the jump if there is one; null if there is nothing. */
    private @Nullable Object first(long index, boolean insist) {
        int spins = 0;
        while (true) {
            Object item = consumerChunk.itemAcquire(index);
            if (item == JUMP) {
                consumerChunk = Objects.requireNonNull(consumerChunk.next);
            } else if (item != null || !insist || index >= (producerIndex.getAcquire() & -2L)) {
                return item;
            } else {
                spins = Patience.pause(spins);
            }
        }
    }

    @Override
    public int size() {
        long after = consumerIndex.getAcquire();
        long before;
        long produced;
        do {
            before = after;
            produced = producerIndex.getAcquire();
            after = consumerIndex.getAcquire();
        } while (before != after);
        return Math.clamp((produced - after) >> 1, 0, capacity);
    }

    @Override
    public boolean isEmpty() {
        return consumerIndex.getAcquire() >= (producerIndex.getAcquire() & -2L);
    }

    /** Goes over the elements that are there now; only for the consuming thread. */
    @Override
    public Iterator<E> iterator() {
        List<E> found = new ArrayList<>();
        Chunk chunk = consumerChunk;
        long end = producerIndex.getAcquire() & -2L;
        for (long index = consumerIndex.getAcquire(); index < end; ) {
            Object item = chunk.itemAcquire(index);
            if (item == JUMP) {
                chunk = Objects.requireNonNull(chunk.next);
            } else {
                if (item != null && item != GAP) {
                    found.add(ArrayBackedQueue.element(item));
                }
                index += 2;
            }
        }
        Iterator<E> elements = found.iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return elements.hasNext();
            }

            @Override
            public E next() {
                return elements.next();
            }

            @Override
            public void remove() {
                throw ArrayBackedQueue.noRemovalFromTheMiddle();
            }
        };
    }
}
