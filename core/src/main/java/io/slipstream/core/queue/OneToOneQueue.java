package io.slipstream.core.queue;

import io.slipstream.core.memory.PaddedLong;
import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.function.Consumer;
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

    private final End producer;
    private final End consumer;

    /** All that one side needs for a call, reached by one reference: its index, alone on its cache lines, and behind that what it reads beside. */
    private abstract static class EndState extends PaddedLong {
        final @Nullable Object[] slots;
        final int lookAhead;
        /** Below this index the producer knows every slot to be free; it changes once in so many elements as it looks ahead. */
        long limit;

        EndState(@Nullable Object[] slots) {
            super(0);
            this.slots = slots;
            this.lookAhead = Math.clamp(slots.length / 4, 1, LONGEST_LOOK_AHEAD);
        }
    }

    /** The same between paddings. */
    @SuppressWarnings("unused")
    private static final class End extends EndState {
        byte r000, r001, r002, r003, r004, r005, r006, r007, r008, r009, r010, r011, r012, r013, r014, r015;
        byte r016, r017, r018, r019, r020, r021, r022, r023, r024, r025, r026, r027, r028, r029, r030, r031;
        byte r032, r033, r034, r035, r036, r037, r038, r039, r040, r041, r042, r043, r044, r045, r046, r047;
        byte r048, r049, r050, r051, r052, r053, r054, r055, r056, r057, r058, r059, r060, r061, r062, r063;
        byte r064, r065, r066, r067, r068, r069, r070, r071, r072, r073, r074, r075, r076, r077, r078, r079;
        byte r080, r081, r082, r083, r084, r085, r086, r087, r088, r089, r090, r091, r092, r093, r094, r095;
        byte r096, r097, r098, r099, r100, r101, r102, r103, r104, r105, r106, r107, r108, r109, r110, r111;
        byte r112, r113, r114, r115, r116, r117, r118, r119, r120, r121, r122, r123, r124, r125, r126, r127;
        byte r128, r129, r130, r131, r132, r133, r134, r135, r136, r137, r138, r139, r140, r141, r142, r143;

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
