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
    static final int NONE = -1;

    private Bucket() {
    }

    /** Returns the bucket as a segment of its own, so that one check of bounds serves all accesses to it. */
    static MemorySegment at(MemorySegment memory, long offset) {
        return memory.asSlice(offset, BYTES);
    }

    /**
     * Returns the offset of the first place with this key, or {@link #NONE}. Key 0 finds the first free place.
     *
     * <p>It selects rather than branches: which of the four it is cannot be predicted, and a branch that is guessed
     * wrong waits for the cache line, so that no two look-ups would overlap.
     */
    static int find(MemorySegment bucket, long key) {
        int slot = LAST;
        long found = Memory.getLong(bucket, LAST);
        long other = Memory.getLong(bucket, 16);
        if (other == key) {
            slot = 16;
            found = other;
        }
        other = Memory.getLong(bucket, 8);
        if (other == key) {
            slot = 8;
            found = other;
        }
        other = Memory.getLong(bucket, 0);
        if (other == key) {
            slot = 0;
            found = other;
        }
        return found == key ? slot : NONE;
    }

    static boolean isFull(MemorySegment bucket) {
        return Memory.getLong(bucket, LAST) != 0;
    }
}
