package io.slipstream.exchange.wire;

import java.lang.foreign.MemorySegment;

/**
 * Asks for the best price levels of both sides of an instrument.
 *
 * <pre>
 *   0 type (2)   2 levels (2)   4 instrument (4)
 * </pre>
 */
public final class DepthQuery {
    /** Bytes of the message. */
    public static final int BYTES = 8;

    /** The most levels of each side that can be asked for. */
    public static final int MAX_LEVELS = 100;

    private DepthQuery() {}

    /** Writes the message; {@code levels} must fit into 16 bits. */
    public static void encode(MemorySegment memory, long offset, int instrument, int levels) {
        Fields.head(memory, offset, WireType.DEPTH_QUERY, 0, 0, instrument);
        Fields.putShort(memory, offset + 2, levels);
    }

    /** Returns why a message of this type and that length cannot be decoded, or {@link Rejection#NONE}. */
    public static Rejection check(MemorySegment memory, long offset, int length) {
        Rejection rejection = Fields.length(length, BYTES);
        if (rejection != Rejection.NONE) {
            return rejection;
        }
        int levels = levels(memory, offset);
        return levels >= 1 && levels <= MAX_LEVELS ? Rejection.NONE : Rejection.LEVELS_OUT_OF_RANGE;
    }

    /** Returns the instrument. */
    public static int instrument(MemorySegment memory, long offset) {
        return Fields.getInt(memory, offset + Fields.INSTRUMENT);
    }

    /** Returns how many levels of each side are wanted. */
    public static int levels(MemorySegment memory, long offset) {
        return Fields.getShort(memory, offset + 2);
    }
}
