package io.slipstream.exchange.wire;

import io.slipstream.exchange.Side;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The newest trades of an instrument, oldest first. Their numbers have no gaps.
 *
 * <pre>
 *   0 type (2)   2 zero (2)   4 instrument (4)   8 trades (4)   12 zero (4)   16 trades ...
 *
 *   trade:  0 number   8 price   16 quantity   24 side of the order that arrived (1)   25 zero (7)
 * </pre>
 */
public final class TradesAnswer {
    /** Bytes before the trades. */
    public static final int HEADER_BYTES = 16;

    /** Bytes of a trade. */
    public static final int TRADE_BYTES = 32;

    /** Bytes of the longest message. */
    public static final int MAX_BYTES = HEADER_BYTES + TradesQuery.MAX_TRADES * TRADE_BYTES;

    private TradesAnswer() {}

    /** Returns the bytes of a message with that many trades. */
    public static int bytes(int trades) {
        return HEADER_BYTES + trades * TRADE_BYTES;
    }

    /** Writes what is before the trades. */
    public static void encodeHeader(MemorySegment memory, long offset, int instrument, int trades) {
        Fields.head(memory, offset, WireType.TRADES, 0, 0, instrument);
        Fields.putInt(memory, offset + 8, trades);
        Fields.putInt(memory, offset + 12, 0);
    }

    /** Writes a trade. */
    public static void encodeTrade(
            MemorySegment memory, long offset, int index, long number, long price, long quantity, Side taker) {
        long at = offset + bytes(index);
        Fields.putLong(memory, at, number);
        Fields.putLong(memory, at + 8, price);
        Fields.putLong(memory, at + 16, quantity);
        Fields.putLong(memory, at + 24, SideCode.of(taker));
    }

    /** Returns the instrument. */
    public static int instrument(MemorySegment memory, long offset) {
        return Fields.getInt(memory, offset + Fields.INSTRUMENT);
    }

    /** Returns how many trades there are. */
    public static int trades(MemorySegment memory, long offset) {
        return Fields.getInt(memory, offset + 8);
    }

    /** Returns the number of a trade: 1 for the first of its instrument. */
    public static long number(MemorySegment memory, long offset, int index) {
        return Fields.getLong(memory, offset + bytes(index));
    }

    /** Returns the price of a trade. */
    public static long price(MemorySegment memory, long offset, int index) {
        return Fields.getLong(memory, offset + bytes(index) + 8);
    }

    /** Returns the quantity of a trade. */
    public static long quantity(MemorySegment memory, long offset, int index) {
        return Fields.getLong(memory, offset + bytes(index) + 16);
    }

    /** Returns the side of the order that arrived, or null if the bytes are those of no side. */
    public static @Nullable Side taker(MemorySegment memory, long offset, int index) {
        return SideCode.side(Fields.getByte(memory, offset + bytes(index) + 24));
    }
}
