package io.slipstream.journal.segment;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Looks for bytes that are not zero. */
public final class Zeros {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final MemorySegment BLOCK =
            MemorySegment.ofArray(new byte[4096]).asReadOnly();

    private Zeros() {}

    /** Returns whether there are only zeros. */
    public static boolean only(MemorySegment memory, long offset, long bytes) {
        return lastOther(memory, offset, bytes) < 0;
    }

    /** Returns the offset in {@code memory} of the last byte that is not zero, or -1. */
    public static long lastOther(MemorySegment memory, long offset, long bytes) {
        // A comparison takes many bytes at a time, and most often there is nothing to be found.
        if (bytes <= BLOCK.byteSize() && MemorySegment.mismatch(memory, offset, offset + bytes, BLOCK, 0, bytes) < 0) {
            return -1;
        }
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
