package io.slipstream.service.collection;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Objects by a {@code long}: open addressing with linear probing, so that finding one boxes nothing. For one thread.
 *
 * @param <V> the objects
 */
public final class LongMap<V> {
    private static final int FIRST_CAPACITY = 64;

    private long[] keys = new long[FIRST_CAPACITY];
    private @Nullable Object[] values = new Object[FIRST_CAPACITY];
    private int size;

    /** Returns how many there are. */
    public int size() {
        return size;
    }

    /** Returns the object of a key, or null. */
    @SuppressWarnings("unchecked") // Nothing else is put there.
    public @Nullable V get(long key) {
        return (V) values[find(key)];
    }

    /** Puts an object in the place of the one that the key had. */
    public void put(long key, V value) {
        if (2 * (size + 1) > values.length) {
            grow();
        }
        int at = find(key);
        if (values[at] == null) {
            size++;
        }
        keys[at] = key;
        values[at] = value;
    }

    /** Removes the object of a key, if there is one. */
    public void remove(long key) {
        int gap = find(key);
        if (values[gap] == null) {
            return;
        }
        int mask = values.length - 1;
        values[gap] = null;
        size--;
        // Whatever probed past the gap moves back into it.
        for (int next = (gap + 1) & mask; values[next] != null; next = (next + 1) & mask) {
            if (((next - home(keys[next])) & mask) >= ((next - gap) & mask)) {
                keys[gap] = keys[next];
                values[gap] = values[next];
                values[next] = null;
                gap = next;
            }
        }
    }

    /** Removes all. */
    public void clear() {
        keys = new long[FIRST_CAPACITY];
        values = new Object[FIRST_CAPACITY];
        size = 0;
    }

    /** Returns a copy of all objects, in any order. */
    @SuppressWarnings("unchecked") // As above.
    public List<V> values() {
        List<V> all = new ArrayList<>(size);
        for (Object value : values) {
            if (value != null) {
                all.add((V) value);
            }
        }
        return all;
    }

    private int find(long key) {
        int at = home(key);
        int mask = values.length - 1;
        while (values[at] != null && keys[at] != key) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private int home(long key) {
        return (int) ((key * 0x9E37_79B9_7F4A_7C15L) >>> 32) & (values.length - 1);
    }

    private void grow() {
        long[] oldKeys = keys;
        @Nullable Object[] oldValues = values;
        keys = new long[2 * oldKeys.length];
        values = new Object[2 * oldValues.length];
        for (int i = 0; i < oldValues.length; i++) {
            if (oldValues[i] != null) {
                int at = find(oldKeys[i]);
                keys[at] = oldKeys[i];
                values[at] = oldValues[i];
            }
        }
    }
}
