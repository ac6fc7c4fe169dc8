package io.slipstream.exchange.wire;

import java.lang.foreign.MemorySegment;

/**
 * Cancels what is left of an order.
 *
 * <pre>
 *   0 type (2)   2 zero (2)   4 instrument (4)   8 order id
 * </pre>
 */
public final class CancelCommand {
    /** Bytes of the message. */
    public static final int BYTES = 16;

    private CancelCommand() {
    }

    /** Writes the message. */
    public static void encode(MemorySegment memory, long offset, int instrument, long orderId) {
        Fields.head(memory, offset, WireType.CANCEL, 0, 0, instrument);
        Fields.putLong(memory, offset + 8, orderId);
    }

    /** Returns why a message of this type and that length cannot be decoded, or {@link Rejection#NONE}. */
    public static Rejection check(int length) {
        return Fields.length(length, BYTES);
    }

    /** Returns the instrument. */
    public static int instrument(MemorySegment memory, long offset) {
        return Fields.getInt(memory, offset + Fields.INSTRUMENT);
    }

    /** Returns the order's id. */
    public static long orderId(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 8);
    }
}
