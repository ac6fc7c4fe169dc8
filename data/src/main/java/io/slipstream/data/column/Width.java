package io.slipstream.data.column;

import java.lang.foreign.MemorySegment;

/** What one value of a column takes. */
public enum Width {
    /** One bit. */
    BIT(0),
    /** A signed byte. */
    BYTE(1),
    /** An unsigned byte. */
    UNSIGNED_BYTE(1),
    /** A signed number of two bytes. */
    SHORT(2),
    /** An unsigned number of two bytes. */
    CHAR(2),
    /** Four bytes. */
    INT(4),
    /** Eight bytes. */
    LONG(8),
    /** Four bytes, IEEE 754. */
    FLOAT(4),
    /** Eight bytes, IEEE 754. */
    DOUBLE(8);

    private final int bytes;

    Width(int bytes) {
        this.bytes = bytes;
    }

    /** Returns the bytes of so many values. Bits are in words of 64. */
    public long bytesOf(long values) {
        return this == BIT ? (values + 63 >>> 6) * Long.BYTES : values * bytes;
    }

    /**
     * Copies so many values of a column that begins at {@code base}, from the one with number {@code at} on, to another
     * one.
     */
    void copy(MemorySegment source, long base, int at, MemorySegment target, long targetBase, int to, int count) {
        if (this != BIT) {
            MemorySegment.copy(
                    source, base + (long) at * bytes, target, targetBase + (long) to * bytes, (long) count * bytes);
            return;
        }
        for (int i = 0; i < count; i++) {
            int bit = source.get(Layouts.BYTE, base + (at + i >>> 3)) >>> (at + i & 7) & 1;
            long place = targetBase + (to + i >>> 3);
            int shift = to + i & 7;
            int former = target.get(Layouts.BYTE, place);
            target.set(Layouts.BYTE, place, (byte) (former & ~(1 << shift) | bit << shift));
        }
    }
}
