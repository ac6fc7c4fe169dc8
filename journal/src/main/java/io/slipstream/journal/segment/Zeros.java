package io.slipstream.journal.segment;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Looks for bytes that are not zero. */
public final class Zeros {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private Zeros() {
    }

    /** Returns whether there are only zeros. */
    public static boolean only(MemorySegment memory, long offset, long bytes) {
        return lastOther(memory, offset, bytes) < 0;
    }

    /** Returns the offset in {@code memory} of the last byte that is not zero, or -1. */
    public static long lastOther(MemorySegment memory, long offset, long bytes) {
        long at = offset + bytes;
        while (at - Long.BYTES >= offset && memory.get(LONG, at - Long.BYTES) == 0) {
            at -= Long.BYTES;
        }
        while (at > offset) {
            at--;
            if (memory.get(ValueLayout.JAVA_BYTE, at) != 0) {
                return at;
            }
        }
        return -1;
    }
}
