package io.slipstream.data.index;

import java.lang.foreign.MemorySegment;

/**
 * Four keys and their values in one cache line. The keys of a bucket come first and have no gap; 0 is no key.
 *
 * <pre>
 *    0      8      16     24     32     40     48     56     64
 *   | key 0| key 1| key 2| key 3|value0|value1|value2|value3|
 * </pre>
 */
final class Bucket {
    static final int ENTRIES = 4;
    static final int SHIFT = 6;
    static final int BYTES = 1 << SHIFT;
    static final int VALUES = 32;
    static final int LAST = 24;

    private Bucket() {
    }

    /**
     * Returns the offset of the key from the bucket, or -1. Compares all four, as a branch for each would be guessed
     * wrong.
     */
    static int find(MemorySegment memory, long bucket, long key) {
        long a = Memory.getLong(memory, bucket) ^ key;
        long b = Memory.getLong(memory, bucket + 8) ^ key;
        long c = Memory.getLong(memory, bucket + 16) ^ key;
        long d = Memory.getLong(memory, bucket + 24) ^ key;
        if (a == 0) {
            return 0;
        }
        if (b == 0) {
            return 8;
        }
        if (c == 0) {
            return 16;
        }
        return d == 0 ? 24 : -1;
    }

    static boolean isFull(MemorySegment memory, long bucket) {
        return Memory.getLong(memory, bucket + LAST) != 0;
    }

    /** Returns the offset of the first free key; the bucket is not full. */
    static int free(MemorySegment memory, long bucket) {
        int used = Memory.getLong(memory, bucket) == 0 ? 0 : 8;
        used += Memory.getLong(memory, bucket + 8) == 0 ? 0 : 8;
        return used + (Memory.getLong(memory, bucket + 16) == 0 ? 0 : 8);
    }
}
