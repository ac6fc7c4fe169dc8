package io.slipstream.exchange.wire;

import java.lang.foreign.MemorySegment;

/**
 * Asks for the best bid and the best ask of an instrument.
 *
 * <pre>
 *   0 type (2)   2 zero (2)   4 instrument (4)
 * </pre>
 */
public final class TopOfBookQuery {
    /** Bytes of the message. */
    public static final int BYTES = 8;

    private TopOfBookQuery() {}

    /** Writes the message. */
    public static void encode(MemorySegment memory, long offset, int instrument) {
        Fields.head(memory, offset, WireType.TOP_QUERY, 0, 0, instrument);
    }

    /** Returns why a message of this type and that length cannot be decoded, or {@link Rejection#NONE}. */
    public static Rejection check(int length) {
        return Fields.length(length, BYTES);
    }

    /** Returns the instrument. */
    public static int instrument(MemorySegment memory, long offset) {
        return Fields.getInt(memory, offset + Fields.INSTRUMENT);
    }
}
