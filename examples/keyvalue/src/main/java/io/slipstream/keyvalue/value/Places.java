package io.slipstream.keyvalue.value;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Elements by their places and by their names, in the order in which they came until one is removed. Among many the
 * last one takes the place of one that is removed. For one thread.
 *
 * <p>A scan goes from the last element to the first, and its cursor is how many are left. An element only ever moves
 * towards the first, and new ones come last: so what is there from the beginning of a scan to its end is seen, if
 * perhaps twice.
 *
 * <pre>
 *   few     elements, looked through
 *   many    elements, and an open hash table:   0 or   hash of the name (32 bits) | place + 1 (32 bits)
 * </pre>
 */
final class Places<E> {
    private static final int FEW = Value.SCANNED_AT_ONCE;
    private static final long[] NONE = {};

    private final Function<? super E, Bytes> name;
    private final boolean keepsOrder;
    private final List<E> elements = new ArrayList<>();
    private long[] slots = NONE;

    /**
     * Creates it without elements.
     *
     * @param name       of an element, which no other one has
     * @param keepsOrder whether few elements keep their order when one is removed
     */
    Places(Function<? super E, Bytes> name, boolean keepsOrder) {
        this.name = name;
        this.keepsOrder = keepsOrder;
    }

    int size() {
        return elements.size();
    }

    /** Returns all by place, as they are at any time. */
    List<E> all() {
        return Collections.unmodifiableList(elements);
    }

    /** Returns the element of that name, or null. */
    @Nullable
    E find(Bytes wanted) {
        int place = place(wanted);
        return place < 0 ? null : elements.get(place);
    }

    /** As {@link Value#touch}. */
    int touch(int nameHash) {
        if (slots.length == 0) {
            return 0;
        }
        int mask = slots.length - 1;
        int at = nameHash & mask;
        while (slots[at] != 0 && hash(slots[at]) != nameHash) {
            at = at + 1 & mask;
        }
        if (slots[at] == 0) {
            return 0;
        }
        byte[] found = name.apply(elements.get((int) slots[at] - 1)).array();
        return found.length == 0 ? 0 : found[found.length - 1];
    }

    /** Adds one whose name is new. */
    void add(E element) {
        elements.add(element);
        int size = elements.size();
        if (size <= FEW) {
            return;
        }
        if (slots.length < size + size / 2) {
            grow();
        } else {
            insert(slots, slot(name.apply(element), size - 1));
        }
    }

    /** Puts an element in place of the one of the same name. */
    void replace(E element) {
        elements.set(place(name.apply(element)), element);
    }

    /** Removes the element of that name and returns it; null if there is none. */
    @Nullable
    E remove(Bytes wanted) {
        int place = place(wanted);
        if (place < 0) {
            return null;
        }
        E removed = elements.get(place);
        int last = elements.size() - 1;
        if (keepsOrder && last < FEW) {
            elements.remove(place);
            return removed;
        }
        E moved = elements.remove(last);
        if (last <= FEW) {
            slots = NONE;
        } else {
            free(find(slot(wanted, place)));
        }
        if (place < last) {
            elements.set(place, moved);
            if (slots.length > 0) {
                slots[find(slot(name.apply(moved), last))] = slot(name.apply(moved), place);
            }
        }
        return removed;
    }

    /** Hands out the next {@code count} elements; cursor and result as {@link HashValue#scan}. */
    long scan(long cursor, long count, Consumer<? super E> visitor) {
        if (elements.size() <= FEW) {
            elements.forEach(visitor);
            return 0;
        }
        int left = cursor <= 0 ? elements.size() : (int) Math.min(cursor, elements.size());
        for (long seen = 0; left > 0 && seen < count; seen++) {
            visitor.accept(elements.get(--left));
        }
        return left;
    }

    private int place(Bytes wanted) {
        if (slots.length == 0) {
            for (int place = 0; place < elements.size(); place++) {
                if (wanted.equals(name.apply(elements.get(place)))) {
                    return place;
                }
            }
            return -1;
        }
        int hash = wanted.hashCode();
        int mask = slots.length - 1;
        for (int at = hash & mask; slots[at] != 0; at = at + 1 & mask) {
            if (hash(slots[at]) == hash) {
                int place = (int) slots[at] - 1;
                if (wanted.equals(name.apply(elements.get(place)))) {
                    return place;
                }
            }
        }
        return -1;
    }

    private void grow() {
        long[] larger = new long[Integer.highestOneBit(elements.size()) * 4];
        for (int place = 0; place < elements.size(); place++) {
            insert(larger, slot(name.apply(elements.get(place)), place));
        }
        slots = larger;
    }

    private static void insert(long[] into, long slot) {
        int mask = into.length - 1;
        int at = hash(slot) & mask;
        while (into[at] != 0) {
            at = at + 1 & mask;
        }
        into[at] = slot;
    }

    /** Returns where a slot that is there is. */
    private int find(long slot) {
        int mask = slots.length - 1;
        int at = hash(slot) & mask;
        while (slots[at] != slot) {
            at = at + 1 & mask;
        }
        return at;
    }

    /** Empties a slot; those behind it that could not be at their own come nearer. */
    private void free(int at) {
        int mask = slots.length - 1;
        int hole = at;
        for (int next = hole + 1 & mask; slots[next] != 0; next = next + 1 & mask) {
            int home = hash(slots[next]) & mask;
            if ((next - home & mask) >= (next - hole & mask)) {
                slots[hole] = slots[next];
                hole = next;
            }
        }
        slots[hole] = 0;
    }

    private static long slot(Bytes name, int place) {
        return (long) name.hashCode() << Integer.SIZE | place + 1;
    }

    private static int hash(long slot) {
        return (int) (slot >>> Integer.SIZE);
    }
}
