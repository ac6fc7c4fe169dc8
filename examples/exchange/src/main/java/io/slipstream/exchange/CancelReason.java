package io.slipstream.exchange;

/** Why an accepted order, or the rest of it, left without trading. */
public enum CancelReason {
    /** Its owner asked for it. */
    REQUESTED,
    /** It was a market or immediate-or-cancel order, and nothing more was there to trade with. */
    UNFILLED_REMAINDER,
    /** It was replaced by a total quantity which it had already traded. */
    REPLACED_BY_FILLED_QUANTITY
}
