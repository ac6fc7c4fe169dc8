package io.slipstream.exchange.wire;

import java.lang.foreign.MemorySegment;

/**
 * Answers a command; or a query, if it was refused.
 *
 * <pre>
 *   0 type (2)   2 status (1)   3 rejection (1)   4 instrument (4)   8 order id   16 filled   24 remaining
 * </pre>
 */
public final class CommandReply {
    /** Bytes of the message. */
    public static final int BYTES = 32;

    private CommandReply() {
    }

    /** Writes the message. */
    public static void encode(MemorySegment memory, long offset, OrderStatus status, Rejection rejection,
            int instrument,
                              long orderId, long filled, long remaining) {
        Fields.head(memory, offset, WireType.REPLY, status.code(), rejection.code(), instrument);
        Fields.putLong(memory, offset + 8, orderId);
        Fields.putLong(memory, offset + 16, filled);
        Fields.putLong(memory, offset + 24, remaining);
    }

    /** Returns what has become of the order. */
    public static OrderStatus status(MemorySegment memory, long offset) {
        return OrderStatus.of(Fields.getByte(memory, offset + 2));
    }

    /** Returns why the command was refused, or {@link Rejection#NONE}. */
    public static Rejection rejection(MemorySegment memory, long offset) {
        return Rejection.of(Fields.getByte(memory, offset + 3));
    }

    /** Returns the instrument of the command; 0 if it could not be decoded. */
    public static int instrument(MemorySegment memory, long offset) {
        return Fields.getInt(memory, offset + Fields.INSTRUMENT);
    }

    /** Returns the order's id of the command; 0 if it could not be decoded. */
    public static long orderId(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 8);
    }

    /** Returns how much this command has traded. */
    public static long filled(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 16);
    }

    /** Returns how much of the order has not traded; {@link #status} says whether it rests or was cancelled. */
    public static long remaining(MemorySegment memory, long offset) {
        return Fields.getLong(memory, offset + 24);
    }
}
