package io.slipstream.exchange.wire;

import java.lang.foreign.MemorySegment;

/**
 * Asks for a resting order of the client that asks.
 *
 * <pre>
 *   0 type (2)   2 zero (6)   8 order id
 * </pre>
 */
public final class OrderQuery {
    /** Bytes of the message. */
    public static final int BYTES = 16;

    private OrderQuery() {}

    /** Writes the message. */
    public static void encode(MemorySegment memory, long offset, long orderId) {
        Fields.head(memory, offset, WireType.ORDER_QUERY, 0, 0, 0);
        Fields.putLong(memory, offset + 8, orderId);
    }

    /** Returns why a message of this type and that length cannot be decoded, or {@link Rejection#NONE}. */
    public static Rejection check(int length) {
        return Fields.length(length, BYTES);
    }

    /** Returns the order's id. */
    public static long orderId(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 8);
    }
}
