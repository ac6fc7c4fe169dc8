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

    private Bucket() {}

    /** Returns the offset of the key from the bucket, or {@link #NONE}. */
    static int find(MemorySegment memory, long bucket, long key) {
        for (int slot = 0; slot <= LAST; slot += Long.BYTES) {
            if (Memory.getLong(memory, bucket + slot) == key) {
                return slot;
            }
        }
        return NONE;
    }

    /** Returns the offset of the first free place, or {@link #NONE}. */
    static int free(MemorySegment memory, long bucket) {
        int slot = LAST;
        slot = Memory.getLong(memory, bucket + 16) == 0 ? 16 : slot;
        slot = Memory.getLong(memory, bucket + 8) == 0 ? 8 : slot;
        slot = Memory.getLong(memory, bucket) == 0 ? 0 : slot;
        return Memory.getLong(memory, bucket + slot) == 0 ? slot : NONE;
    }

    static boolean isFull(MemorySegment memory, long bucket) {
        return Memory.getLong(memory, bucket + LAST) != 0;
    }
}
