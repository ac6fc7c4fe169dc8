package io.slipstream.exchange.wire;

import java.lang.foreign.MemorySegment;

/**
 * The best bid and the best ask of an instrument; a side that nobody wants to trade on has price and quantity 0.
 *
 * <pre>
 *   0 type (2)   2 zero (2)   4 instrument (4)   8 bid price   16 bid quantity   24 ask price   32 ask quantity
 * </pre>
 */
public final class TopOfBookAnswer {
    /** Bytes of the message. */
    public static final int BYTES = 40;

    private TopOfBookAnswer() {}

    /** Writes the message. */
    public static void encode(
            MemorySegment memory,
            long offset,
            int instrument,
            long bidPrice,
            long bidQuantity,
            long askPrice,
            long askQuantity) {
        Fields.head(memory, offset, WireType.TOP, 0, 0, instrument);
        Fields.putLong(memory, offset + 8, bidPrice);
        Fields.putLong(memory, offset + 16, bidQuantity);
        Fields.putLong(memory, offset + 24, askPrice);
        Fields.putLong(memory, offset + 32, askQuantity);
    }

    /** Returns the instrument. */
    public static int instrument(MemorySegment memory, long offset) {
        return Fields.getInt(memory, offset + Fields.INSTRUMENT);
    }

    /** Returns the price of the best bid. */
    public static long bidPrice(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 8);
    }

    /** Returns the open quantity at the best bid. */
    public static long bidQuantity(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 16);
    }

    /** Returns the price of the best ask. */
    public static long askPrice(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 24);
    }

    /** Returns the open quantity at the best ask. */
    public static long askQuantity(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 32);
    }
}
