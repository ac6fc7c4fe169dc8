package io.slipstream.exchange.wire;

import java.lang.foreign.MemorySegment;

/**
 * Asks for the newest trades of an instrument.
 *
 * <pre>
 *   0 type (2)   2 trades (2)   4 instrument (4)   8 after
 * </pre>
 */
public final class TradesQuery {
    /** Bytes of the message. */
    public static final int BYTES = 16;

    /** The most trades that can be asked for; the exchange keeps no more of an instrument. */
    public static final int MAX_TRADES = 64;

    private TradesQuery() {}

    /**
     * Writes the message.
     *
     * @param trades how many at most; must fit into 16 bits
     * @param after  the trade that was seen last, whose successors are wanted; 0 for none
     */
    public static void encode(MemorySegment memory, long offset, int instrument, int trades, long after) {
        Fields.head(memory, offset, WireType.TRADES_QUERY, 0, 0, instrument);
        Fields.putShort(memory, offset + 2, trades);
        Fields.putLong(memory, offset + 8, after);
    }

    /** Returns why a message of this type and that length cannot be decoded, or {@link Rejection#NONE}. */
    public static Rejection check(MemorySegment memory, long offset, int length) {
        Rejection rejection = Fields.length(length, BYTES);
        if (rejection != Rejection.NONE) {
            return rejection;
        }
        int trades = trades(memory, offset);
        return trades >= 1 && trades <= MAX_TRADES ? Rejection.NONE : Rejection.MALFORMED;
    }

    /** Returns the instrument. */
    public static int instrument(MemorySegment memory, long offset) {
        return Fields.getInt(memory, offset + Fields.INSTRUMENT);
    }

    /** Returns how many trades are wanted at most. */
    public static int trades(MemorySegment memory, long offset) {
        return Fields.getShort(memory, offset + 2);
    }

    /** Returns the trade whose successors are wanted. */
    public static long after(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 8);
    }
}
