package io.slipstream.exchange.wire;

import io.slipstream.exchange.CancelReason;

/** What has happened to an order, other than a trade. */
public enum OrderChange {
    /** It got a smaller quantity and kept its place among those of the same price. */
    REDUCED,
    /** It got another price or a larger quantity and went to the end of the line. */
    REPLACED,
    /** It was cancelled because its owner asked for it. */
    CANCELLED,
    /** The rest of a market or immediate-or-cancel order was cancelled because nothing more was there to trade with. */
    CANCELLED_UNFILLED,
    /** It was cancelled because it was replaced by a total quantity which it had already traded. */
    CANCELLED_AS_FILLED;

    /** Returns the change that a cancellation is. */
    public static OrderChange of(CancelReason reason) {
        return switch (reason) {
            case REQUESTED -> CANCELLED;
            case UNFILLED_REMAINDER -> CANCELLED_UNFILLED;
            case REPLACED_BY_FILLED_QUANTITY -> CANCELLED_AS_FILLED;
        };
    }
}
