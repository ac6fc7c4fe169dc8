package io.slipstream.data.column;

import io.slipstream.data.index.LongLongIndex;
import java.util.Arrays;

/** Count, sum, least and greatest value of each group. Immutable. */
public final class LongGroups {
    private static final int FIELDS = 4;

    private final long[] keys;
    private final long[] figures;

    private LongGroups(long[] keys, long[] figures) {
        this.keys = keys;
        this.figures = figures;
    }

    /** Returns the number of groups. */
    public int size() {
        return keys.length;
    }

    /** Returns the keys of the groups, in ascending order. */
    public long[] keys() {
        return keys.clone();
    }

    /** Returns how many values the group of {@code key} has; 0 if there is none. */
    public long count(long key) {
        return figure(key, 0, 0);
    }

    /** Returns the sum of the values of the group of {@code key}; 0 if there is none. */
    public long sum(long key) {
        return figure(key, 1, 0);
    }

    /** Returns the least value of the group of {@code key}; {@link Long#MAX_VALUE} if there is none. */
    public long min(long key) {
        return figure(key, 2, Long.MAX_VALUE);
    }

    /** Returns the greatest value of the group of {@code key}; {@link Long#MIN_VALUE} if there is none. */
    public long max(long key) {
        return figure(key, 3, Long.MIN_VALUE);
    }

    private long figure(long key, int field, long none) {
        int group = Arrays.binarySearch(keys, key);
        return group < 0 ? none : figures[group * FIELDS + field];
    }

    /** Gathers groups. */
    static final class Builder implements AutoCloseable {
        private static final int NONE = -1;

        private final LongLongIndex groups = LongLongIndex.inMemory(NONE);
        private long[] keys = new long[16];
        private long[] figures = new long[16 * FIELDS];
        private int size;

        void add(long key, long value) {
            int group = (int) groups.get(key);
            int at = (group == NONE ? begin(key) : group) * FIELDS;
            figures[at]++;
            figures[at + 1] += value;
            figures[at + 2] = Math.min(figures[at + 2], value);
            figures[at + 3] = Math.max(figures[at + 3], value);
        }

        private int begin(long key) {
            if (size == keys.length) {
                keys = Arrays.copyOf(keys, size << 1);
                figures = Arrays.copyOf(figures, figures.length << 1);
            }
            keys[size] = key;
            figures[size * FIELDS + 2] = Long.MAX_VALUE;
            figures[size * FIELDS + 3] = Long.MIN_VALUE;
            groups.put(key, size);
            return size++;
        }

        LongGroups build() {
            long[] sorted = Arrays.copyOf(keys, size);
            Arrays.sort(sorted);
            long[] inOrder = new long[size * FIELDS];
            for (int i = 0; i < size; i++) {
                System.arraycopy(figures, (int) groups.get(sorted[i]) * FIELDS, inOrder, i * FIELDS, FIELDS);
            }
            return new LongGroups(sorted, inOrder);
        }

        @Override
        public void close() {
            groups.close();
        }
    }
}
