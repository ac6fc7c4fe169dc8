package io.slipstream.exchange.wire;

import java.lang.foreign.MemorySegment;

/**
 * The best price levels of an instrument: the bids, then the asks, each side best first.
 *
 * <pre>
 *   0 type (2)   2 zero (2)   4 instrument (4)   8 bids (4)   12 asks (4)   16 levels ...
 *
 *   level:  0 price   8 quantity   16 orders (4)   20 zero (4)
 * </pre>
 */
public final class DepthAnswer {
    /** Bytes before the levels. */
    public static final int HEADER_BYTES = 16;

    /** Bytes of a level. */
    public static final int LEVEL_BYTES = 24;

    /** Bytes of the longest message. */
    public static final int MAX_BYTES = HEADER_BYTES + 2 * DepthQuery.MAX_LEVELS * LEVEL_BYTES;

    private DepthAnswer() {}

    /** Returns the bytes of a message with that many levels. */
    public static int bytes(int levels) {
        return HEADER_BYTES + levels * LEVEL_BYTES;
    }

    /** Writes what is before the levels. */
    public static void encodeHeader(MemorySegment memory, long offset, int instrument, int bids, int asks) {
        Fields.head(memory, offset, WireType.DEPTH, 0, 0, instrument);
        Fields.putInt(memory, offset + 8, bids);
        Fields.putInt(memory, offset + 12, asks);
    }

    /** Writes a level; {@code index} counts the bids and then goes on with the asks. */
    public static void encodeLevel(
            MemorySegment memory, long offset, int index, long price, long quantity, int orders) {
        long at = offset + bytes(index);
        Fields.putLong(memory, at, price);
        Fields.putLong(memory, at + 8, quantity);
        Fields.putInt(memory, at + 16, orders);
        Fields.putInt(memory, at + 20, 0);
    }

    /** Returns the instrument. */
    public static int instrument(MemorySegment memory, long offset) {
        return Fields.getInt(memory, offset + Fields.INSTRUMENT);
    }

    /** Returns how many levels the bids have. */
    public static int bids(MemorySegment memory, long offset) {
        return Fields.getInt(memory, offset + 8);
    }

    /** Returns how many levels the asks have. */
    public static int asks(MemorySegment memory, long offset) {
        return Fields.getInt(memory, offset + 12);
    }

    /** Returns the price of a level. */
    public static long price(MemorySegment memory, long offset, int index) {
        return Fields.getLong(memory, offset + bytes(index));
    }

    /** Returns the open quantity of a level. */
    public static long quantity(MemorySegment memory, long offset, int index) {
        return Fields.getLong(memory, offset + bytes(index) + 8);
    }

    /** Returns how many orders a level has. */
    public static int orders(MemorySegment memory, long offset, int index) {
        return Fields.getInt(memory, offset + bytes(index) + 16);
    }
}
