package io.slipstream.exchange.wire;

import io.slipstream.exchange.CancelReason;

/** What has happened to an order, other than a trade. */
public enum OrderChange {
    /** A change that this version does not know. */
    UNKNOWN(0),
    /** It got a smaller quantity and kept its place among those of the same price. */
    REDUCED(1),
    /** It got another price or a larger quantity and went to the end of the line. */
    REPLACED(2),
    /** It was cancelled because its owner asked for it. */
    CANCELLED(3),
    /** The rest of a market or immediate-or-cancel order was cancelled because nothing more was there to trade with. */
    CANCELLED_UNFILLED(4),
    /** It was cancelled because it was replaced by a total quantity which it had already traded. */
    CANCELLED_AS_FILLED(5);

    private final int code;

    OrderChange(int code) {
        this.code = code;
    }

    /** Returns the number on the wire. */
    public int code() {
        return code;
    }

    /** Returns the change with that number, or {@link #UNKNOWN}. */
    public static OrderChange of(int code) {
        return switch (code) {
            case 1 -> REDUCED;
            case 2 -> REPLACED;
            case 3 -> CANCELLED;
            case 4 -> CANCELLED_UNFILLED;
            case 5 -> CANCELLED_AS_FILLED;
            default -> UNKNOWN;
        };
    }

    /** Returns the change that a cancellation is. */
    public static OrderChange of(CancelReason reason) {
        return switch (reason) {
            case REQUESTED -> CANCELLED;
            case UNFILLED_REMAINDER -> CANCELLED_UNFILLED;
            case REPLACED_BY_FILLED_QUANTITY -> CANCELLED_AS_FILLED;
        };
    }
}
