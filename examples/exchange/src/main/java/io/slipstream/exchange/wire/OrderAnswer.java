package io.slipstream.exchange.wire;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A resting order; or, with a side of 0 and nothing but the order's id, that none rests.
 *
 * <pre>
 *   0 type (2)   2 side (1)   3 order type (1)   4 instrument (4)   8 order id   16 price   24 quantity   32 remaining
 * </pre>
 */
public final class OrderAnswer {
    /** Bytes of the message. */
    public static final int BYTES = 40;

    private OrderAnswer() {}

    /** Writes the message for an order that rests. */
    public static void encode(
            MemorySegment memory,
            long offset,
            int instrument,
            long orderId,
            Side side,
            OrderType type,
            long price,
            long quantity,
            long remaining) {
        Fields.head(memory, offset, WireType.ORDER, SideCode.of(side), OrderTypeCode.of(type), instrument);
        encodeNumbers(memory, offset, orderId, price, quantity, remaining);
    }

    /** Writes the message for an order that does not rest. */
    public static void encodeNone(MemorySegment memory, long offset, long orderId) {
        Fields.head(memory, offset, WireType.ORDER, 0, 0, 0);
        encodeNumbers(memory, offset, orderId, 0, 0, 0);
    }

    /** Returns the side, or null if the order does not rest. */
    public static @Nullable Side side(MemorySegment memory, long offset) {
        return SideCode.side(Fields.getByte(memory, offset + 2));
    }

    /** Returns the order's type, or null if the order does not rest. */
    public static @Nullable OrderType type(MemorySegment memory, long offset) {
        return OrderTypeCode.type(Fields.getByte(memory, offset + 3));
    }

    /** Returns the instrument. */
    public static int instrument(MemorySegment memory, long offset) {
        return Fields.getInt(memory, offset + Fields.INSTRUMENT);
    }

    /** Returns the order's id. */
    public static long orderId(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 8);
    }

    /** Returns the limit. */
    public static long price(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 16);
    }

    /** Returns the total quantity, traded and open. */
    public static long quantity(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 24);
    }

    /** Returns the open quantity. */
    public static long remaining(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 32);
    }

    private static void encodeNumbers(
            MemorySegment memory, long offset, long orderId, long price, long quantity, long remaining) {
        Fields.putLong(memory, offset + 8, orderId);
        Fields.putLong(memory, offset + 16, price);
        Fields.putLong(memory, offset + 24, quantity);
        Fields.putLong(memory, offset + 32, remaining);
    }
}
