package io.slipstream.exchange.wire;

import io.slipstream.exchange.Side;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Tells one side of a trade; who the other side is remains unsaid.
 *
 * <pre>
 *   0 type (2)   2 role (1)   3 side (1)   4 instrument (4)   8 order id   16 trade id
 *   24 price   32 quantity   40 remaining
 * </pre>
 */
public final class TradeEvent {
    /** Bytes of the message. */
    public static final int BYTES = 48;

    private TradeEvent() {
    }

    /** Writes the message. */
    public static void encode(MemorySegment memory, long offset, Role role, Side side, int instrument, long orderId,
                              long tradeId, long price, long quantity, long remaining) {
        Fields.head(memory, offset, WireType.TRADE, role.code(), SideCode.of(side), instrument);
        Fields.putLong(memory, offset + 8, orderId);
        Fields.putLong(memory, offset + 16, tradeId);
        Fields.putLong(memory, offset + 24, price);
        Fields.putLong(memory, offset + 32, quantity);
        Fields.putLong(memory, offset + 40, remaining);
    }

    /** Returns which of the two orders it is. */
    public static Role role(MemorySegment memory, long offset) {
        return Role.of(Fields.getByte(memory, offset + 2));
    }

    /** Returns the side of the order, or null if its number is none. */
    public static @Nullable Side side(MemorySegment memory, long offset) {
        return SideCode.side(Fields.getByte(memory, offset + 3));
    }

    /** Returns the instrument. */
    public static int instrument(MemorySegment memory, long offset) {
        return Fields.getInt(memory, offset + Fields.INSTRUMENT);
    }

    /** Returns the order's id. */
    public static long orderId(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 8);
    }

    /** Returns the trade's number: 1 for the first of its instrument. */
    public static long tradeId(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 16);
    }

    /** Returns the price: that of the maker. */
    public static long price(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 24);
    }

    /** Returns how much was traded. */
    public static long quantity(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 32);
    }

    /** Returns how much of the order is left after the trade. */
    public static long remaining(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 40);
    }
}
