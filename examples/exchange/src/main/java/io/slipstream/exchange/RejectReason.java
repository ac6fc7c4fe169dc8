package io.slipstream.exchange;

/** Why a command was refused. A refused command has changed nothing. */
public enum RejectReason {
    /** No such instrument is listed. */
    UNKNOWN_INSTRUMENT,
    /** The quantity is zero or negative. */
    NON_POSITIVE_QUANTITY,
    /** The quantity is above {@link OrderBook#MAX_QUANTITY}. */
    QUANTITY_TOO_LARGE,
    /** The price is zero or negative. */
    NON_POSITIVE_PRICE,
    /** The price is above {@link OrderBook#MAX_PRICE}. */
    PRICE_TOO_LARGE,
    /** The owner has an order with this id resting, in this book or in another one of the same exchange. */
    DUPLICATE_ORDER_ID,
    /** The owner has no order with this id resting in this book: never placed, filled, or cancelled. */
    UNKNOWN_ORDER,
    /** A post-only order would have traded. */
    POST_ONLY_WOULD_CROSS,
    /** The book holds less than the whole quantity within the price of a fill-or-kill order. */
    FILL_OR_KILL_NOT_FILLABLE,
    /** As many orders rest as the exchange has room for. Orders that never rest are still taken. */
    BOOK_FULL,
    /** So many orders rest at prices far from all others that there is no room for one more such price. */
    PRICES_TOO_SCATTERED
}
