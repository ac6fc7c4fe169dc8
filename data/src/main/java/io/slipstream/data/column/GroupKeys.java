package io.slipstream.data.column;

import io.slipstream.data.index.LongLongIndex;
import java.util.Arrays;

/** Numbers the keys of groups in the order in which they come. */
final class GroupKeys implements AutoCloseable {
    private static final int NONE = -1;

    private final LongLongIndex numbers = LongLongIndex.inMemory(NONE);
    private long[] keys = new long[16];
    private int size;

    /** Returns the number of the group of {@code key}; a new one is the size before. */
    int numberOf(long key) {
        int number = (int) numbers.get(key);
        return number == NONE ? add(key) : number;
    }

    private int add(long key) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, size << 1);
        }
        keys[size] = key;
        numbers.put(key, size);
        return size++;
    }

    int size() {
        return size;
    }

    /** Returns the keys in ascending order. */
    long[] sorted() {
        long[] sorted = Arrays.copyOf(keys, size);
        Arrays.sort(sorted);
        return sorted;
    }

    @Override
    public void close() {
        numbers.close();
    }
}
