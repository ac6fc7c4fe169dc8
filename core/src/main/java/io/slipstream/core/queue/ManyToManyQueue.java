package io.slipstream.core.queue;

import io.slipstream.core.thread.Patience;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue for any number of producing and consuming threads.
 *
 * <p>Beside each slot stands a stamp that says whose turn it is: {@code i} when the slot waits for the producer of
 * index {@code i}, {@code i + 1} when it waits for the consumer of that index (Dmitry Vyukov's bounded queue, 2011).
 * The lower 32 bits of the index are enough, since a slot's stamp is never further from the index than the capacity.
 * Each side claims with one compare-and-set on its own index and does not read the other's unless it finds the queue
 * full or empty.
 *
 * <p>Who runs out of stack behind its claim finishes by assignments alone, so that nobody waits for it for ever.
 *
 * <p>The queue can be {@linkplain #close closed}: each offer then either was accepted before or fails, and the
 * consumers take what is left.
 *
 * @param <E> what the queue holds; never null
 */
public final class ManyToManyQueue<E> extends ArrayBackedQueue<E> {
    private static final VarHandle STAMP = MethodHandles.arrayElementVarHandle(int[].class);

    private final int[] stamps;

    /**
     * Creates an empty queue.
     *
     * @param capacity from 1 to 2^30; rounded up to a power of two, and at least 2
     */
    public ManyToManyQueue(int capacity) {
        super(capacity, 2);
        this.stamps = new int[capacity()];
        for (int i = 0; i < stamps.length; i++) {
            stamps[i] = i;
        }
    }

    @Override
    public boolean offer(E element) {
        Objects.requireNonNull(element, "element");
        int backoff = FIRST_BACKOFF_SPINS;
        int spins = 0;
        while (true) {
            long index = producerIndex.getAcquire();
            int ahead = stampAcquire(index) - (int) index;
            if (index >= CLOSED) {
                return false;
            }
            if (ahead == 0) {
                if (producerIndex.compareAndSet(index, index + 1)) {
                    try {
                        put(index, element);
                    } catch (StackOverflowError e) {
                        buffer[(int) index & mask] = element;
                        ordered = true;
                        if (ordered) {
                            stamps[(int) index & mask] = (int) index + 1;
                        }
                    }
                    return true;
                }
                backoff = backOff(backoff);
            } else if (ahead < 0) {
                if (isFull(index)) {
                    return false;
                }
                spins = Patience.pause(spins);
            }
        }
    }

    @Override
    public boolean relaxedOffer(E element) {
        Objects.requireNonNull(element, "element");
        long index = producerIndex.getAcquire();
        if (index >= CLOSED || stampAcquire(index) != (int) index || !producerIndex.compareAndSet(index, index + 1)) {
            return false;
        }
        try {
            put(index, element);
        } catch (StackOverflowError e) {
            buffer[(int) index & mask] = element;
            ordered = true;
            if (ordered) {
                stamps[(int) index & mask] = (int) index + 1;
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
                E element = supply(supplier);
                awaitTurn(index);
                put(index++, element);
            }
        } finally {
            while (index < end) {
                awaitTurn(index);
                put(index++, GAP);
            }
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable E poll() {
        int backoff = FIRST_BACKOFF_SPINS;
        int spins = 0;
        while (true) {
            long index = consumerIndex.getAcquire();
            int ahead = stampAcquire(index) - (int) index;
            if (ahead == 1) {
                if (consumerIndex.compareAndSet(index, index + 1)) {
                    Object value = buffer[(int) index & mask];
                    try {
                        free(index);
                    } catch (StackOverflowError e) {
                        buffer[(int) index & mask] = null;
                        ordered = true;
                        if (ordered) {
                            stamps[(int) index & mask] = (int) index + mask + 1;
                        }
                    }
                    if (value != GAP) {
                        return (E) value;
                    }
                } else {
                    backoff = backOff(backoff);
                }
            } else if (ahead <= 0) {
                if (isEmptyAt(index)) {
                    return null;
                }
                spins = Patience.pause(spins);
            }
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable E relaxedPoll() {
        while (true) {
            long index = consumerIndex.getAcquire();
            if (stampAcquire(index) != (int) index + 1 || !consumerIndex.compareAndSet(index, index + 1)) {
                return null;
            }
            Object value = buffer[(int) index & mask];
            try {
                free(index);
            } catch (StackOverflowError e) {
                buffer[(int) index & mask] = null;
                ordered = true;
                if (ordered) {
                    stamps[(int) index & mask] = (int) index + mask + 1;
                }
            }
            if (value != GAP) {
                return (E) value;
            }
        }
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
        int spins = 0;
        while (true) {
            long index = consumerIndex.getAcquire();
            if (stampAcquire(index) == (int) index + 1) {
                Object value = slotAcquire(index);
                if (value != null && consumerIndex.getAcquire() == index) {
                    if (value != GAP) {
                        return element(value);
                    }
                    if (consumerIndex.compareAndSet(index, index + 1)) {
                        free(index);
                    }
                }
            } else if (isEmptyAt(index)) {
                return null;
            } else {
                spins = Patience.pause(spins);
            }
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

    private void put(long index, Object element) {
        buffer[slot(index)] = element;
        STAMP.setRelease(stamps, slot(index), (int) index + 1);
    }

    private void free(long index) {
        buffer[slot(index)] = null;
        STAMP.setRelease(stamps, slot(index), (int) index + capacity());
    }

    private int stampAcquire(long index) {
        return (int) STAMP.getAcquire(stamps, slot(index));
    }

    private void awaitTurn(long index) {
        int spins = 0;
        while (stampAcquire(index) != (int) index) {
            spins = Patience.pause(spins);
        }
    }

    private boolean isFull(long index) {
        return index - capacity() >= consumerIndex.getAcquire();
    }

    private boolean isEmptyAt(long index) {
        return index >= (producerIndex.getAcquire() & ~CLOSED);
    }
}
