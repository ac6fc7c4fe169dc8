package io.slipstream.exchange;

/** What an order does on arrival, and what becomes of the part that found no counterpart. */
public enum OrderType {
    /** Trades up to its price; the rest stays in the book until it is filled or cancelled. */
    LIMIT,
    /** Trades at any price; the rest is cancelled. Its price is not looked at. */
    MARKET,
    /** Trades up to its price; the rest is cancelled. */
    IMMEDIATE_OR_CANCEL,
    /** Trades its whole quantity up to its price at once, or is rejected and trades nothing. */
    FILL_OR_KILL,
    /** A limit order that only ever makes: rejected if it would trade on arrival, or after a replacement. */
    POST_ONLY;

    /** Whether what is left after matching stays in the book. */
    boolean rests() {
        return this == LIMIT || this == POST_ONLY;
    }
}
