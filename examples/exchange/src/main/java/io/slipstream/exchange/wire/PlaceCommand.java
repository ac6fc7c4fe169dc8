package io.slipstream.exchange.wire;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Places an order.
 *
 * <pre>
 *   0 type (2)   2 side (1)   3 order type (1)   4 instrument (4)   8 order id   16 price   24 quantity
 * </pre>
 */
public final class PlaceCommand {
    /** Bytes of the message. */
    public static final int BYTES = 32;

    private PlaceCommand() {
    }

    /** Writes the message. */
    public static void encode(MemorySegment memory, long offset, int instrument, long orderId, Side side,
            OrderType type,
                              long price, long quantity) {
        Fields.head(memory, offset, WireType.PLACE, SideCode.of(side), OrderTypeCode.of(type), instrument);
        Fields.putLong(memory, offset + 8, orderId);
        Fields.putLong(memory, offset + 16, price);
        Fields.putLong(memory, offset + 24, quantity);
    }

    /** Returns why a message of this type and that length cannot be decoded, or {@link Rejection#NONE}. */
    public static Rejection check(MemorySegment memory, long offset, int length) {
        Rejection rejection = Fields.length(length, BYTES);
        if (rejection != Rejection.NONE) {
            return rejection;
        }
        if (side(memory, offset) == null) {
            return Rejection.UNKNOWN_SIDE;
        }
        return type(memory, offset) == null ? Rejection.UNKNOWN_ORDER_TYPE : Rejection.NONE;
    }

    /** Returns the instrument. */
    public static int instrument(MemorySegment memory, long offset) {
        return Fields.getInt(memory, offset + Fields.INSTRUMENT);
    }

    /** Returns the order's id. */
    public static long orderId(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 8);
    }

    /** Returns the side, or null if its number is none. */
    public static @Nullable Side side(MemorySegment memory, long offset) {
        return SideCode.side(Fields.getByte(memory, offset + 2));
    }

    /** Returns the order's type, or null if its number is none. */
    public static @Nullable OrderType type(MemorySegment memory, long offset) {
        return OrderTypeCode.type(Fields.getByte(memory, offset + 3));
    }

    /** Returns the limit; nobody looks at that of a market order. */
    public static long price(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 16);
    }

    /** Returns the quantity. */
    public static long quantity(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 24);
    }
}
