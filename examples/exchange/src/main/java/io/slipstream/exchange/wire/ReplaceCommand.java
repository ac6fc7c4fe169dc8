package io.slipstream.exchange.wire;

import java.lang.foreign.MemorySegment;

/**
 * Gives an order another price, another total quantity, or both.
 *
 * <pre>
 *   0 type (2)   2 zero (2)   4 instrument (4)   8 order id   16 price   24 quantity
 * </pre>
 */
public final class ReplaceCommand {
    /** Bytes of the message. */
    public static final int BYTES = 32;

    private ReplaceCommand() {
    }

    /** Writes the message. */
    public static void encode(MemorySegment memory, long offset, int instrument, long orderId, long price,
                              long quantity) {
        Fields.head(memory, offset, WireType.REPLACE, 0, 0, instrument);
        Fields.putLong(memory, offset + 8, orderId);
        Fields.putLong(memory, offset + 16, price);
        Fields.putLong(memory, offset + 24, quantity);
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

    /** Returns the new limit. */
    public static long price(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 16);
    }

    /** Returns the new total quantity, with what has traded already. */
    public static long quantity(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 24);
    }
}
