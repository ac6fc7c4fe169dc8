package io.slipstream.exchange.wire;

import io.slipstream.exchange.Side;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Tells the owner of an order that it was changed or cancelled.
 *
 * <pre>
 *   0 type (2)   2 change (1)   3 side (1)   4 instrument (4)   8 order id   16 price   24 remaining
 * </pre>
 */
public final class UpdateEvent {
    /** Bytes of the message. */
    public static final int BYTES = 32;

    private UpdateEvent() {
    }

    /** Writes the message. */
    public static void encode(MemorySegment memory, long offset, OrderChange change, Side side, int instrument,
                              long orderId, long price, long remaining) {
        Fields.head(memory, offset, WireType.UPDATE, change.code(), SideCode.of(side), instrument);
        Fields.putLong(memory, offset + 8, orderId);
        Fields.putLong(memory, offset + 16, price);
        Fields.putLong(memory, offset + 24, remaining);
    }

    /** Returns what has happened to the order. */
    public static OrderChange change(MemorySegment memory, long offset) {
        return OrderChange.of(Fields.getByte(memory, offset + 2));
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

    /** Returns the new price; 0 if the order was cancelled. */
    public static long price(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 16);
    }

    /** Returns how much is open; if the order was cancelled, how much of it has not traded. */
    public static long remaining(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 24);
    }
}
