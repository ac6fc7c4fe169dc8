package io.slipstream.exchange.wire;

import java.lang.foreign.MemorySegment;

/** The types of messages; a number is never given to another layout. */
public final class WireType {
    /** Bytes of the type. */
    public static final int BYTES = 2;

    /** Command: {@link PlaceCommand}. */
    public static final short PLACE = 1;

    /** Command: {@link CancelCommand}. */
    public static final short CANCEL = 2;

    /** Command: {@link ReplaceCommand}. */
    public static final short REPLACE = 3;

    /** Answer to a command, or to a query that was refused: {@link CommandReply}. */
    public static final short REPLY = 16;

    /** Event: {@link TradeEvent}. */
    public static final short TRADE = 32;

    /** Event: {@link UpdateEvent}. */
    public static final short UPDATE = 33;

    /** Query: {@link TopOfBookQuery}. */
    public static final short TOP_QUERY = 64;

    /** Query: {@link DepthQuery}. */
    public static final short DEPTH_QUERY = 65;

    /** Query: {@link OrderQuery}. */
    public static final short ORDER_QUERY = 66;

    /** Query: {@link TradesQuery}. */
    public static final short TRADES_QUERY = 67;

    /** Answer to a query: {@link TopOfBookAnswer}. */
    public static final short TOP = 80;

    /** Answer to a query: {@link DepthAnswer}. */
    public static final short DEPTH = 81;

    /** Answer to a query: {@link OrderAnswer}. */
    public static final short ORDER = 82;

    /** Answer to a query: {@link TradesAnswer}. */
    public static final short TRADES = 83;

    private WireType() {}

    /** Returns the type of a message of {@code length} bytes; 0, which no message has, if it is too short for one. */
    public static short of(MemorySegment memory, long offset, int length) {
        return length < BYTES ? 0 : Fields.getShort(memory, offset);
    }
}
