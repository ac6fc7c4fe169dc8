package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;

/**
 * The eight bytes that every value begins with, as one little-endian number.
 *
 * <pre>
 *    0         2         4              6             8
 *   +---------+---------+--------------+-------------+------------------ - -
 *   | type id | version | block length | fingerprint | block ...
 *   +---------+---------+--------------+-------------+------------------ - -
 * </pre>
 */
public final class Header {
    /** Bytes of the header. */
    public static final int BYTES = Long.BYTES;

    private Header() {}

    /** Returns the header at an offset. */
    public static long at(MemorySegment m, long offset) {
        return Bytes.getLong(m, offset);
    }

    /** Returns the number of the type. */
    public static int typeId(long header) {
        return (int) header & 0xffff;
    }

    /** Returns the version of the schema with which the value was written. */
    public static int version(long header) {
        return (int) (header >>> 16) & 0xffff;
    }

    /** Returns the bytes of the block. */
    public static int blockBytes(long header) {
        return (int) (header >>> 32) & 0xffff;
    }

    /** Returns the fingerprint of the fields of that version. */
    public static int fingerprint(long header) {
        return (int) (header >>> 48);
    }
}
