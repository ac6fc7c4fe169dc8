package io.slipstream.exchange.wire;

import io.slipstream.exchange.RejectReason;

/** Why a command or query was refused: by the book, or because it could not be decoded. */
public enum Rejection {
    /** It was not refused. */
    NONE,

    /** No such instrument is listed. */
    UNKNOWN_INSTRUMENT,
    /** The quantity is zero or negative. */
    NON_POSITIVE_QUANTITY,
    /** The quantity is above {@link io.slipstream.exchange.OrderBook#MAX_QUANTITY}. */
    QUANTITY_TOO_LARGE,
    /** The price is zero or negative. */
    NON_POSITIVE_PRICE,
    /** The price is above {@link io.slipstream.exchange.OrderBook#MAX_PRICE}. */
    PRICE_TOO_LARGE,
    /** The client has an order with this id resting, in this book or in another one. */
    DUPLICATE_ORDER_ID,
    /** The client has no order with this id resting in this book: never placed, filled, or cancelled. */
    UNKNOWN_ORDER,
    /** A post-only order would have traded. */
    POST_ONLY_WOULD_CROSS,
    /** The book holds less than the whole quantity within the price of a fill-or-kill order. */
    FILL_OR_KILL_NOT_FILLABLE,
    /** As many orders rest as the exchange has room for. */
    BOOK_FULL,
    /** So many orders rest at prices far from all others that there is no room for one more such price. */
    PRICES_TOO_SCATTERED,

    /** There is no such type of command, or of query. */
    UNKNOWN_TYPE,
    /** Its bytes are not what its type says: too few or too many, or a side or type that there is none of. */
    MALFORMED,
    /** The number of levels is not from 1 to {@link DepthQuery#MAX_LEVELS}. */
    LEVELS_OUT_OF_RANGE;

    /** Returns the rejection that has the book's reason. */
    public static Rejection of(RejectReason reason) {
        return switch (reason) {
            case UNKNOWN_INSTRUMENT -> UNKNOWN_INSTRUMENT;
            case NON_POSITIVE_QUANTITY -> NON_POSITIVE_QUANTITY;
            case QUANTITY_TOO_LARGE -> QUANTITY_TOO_LARGE;
            case NON_POSITIVE_PRICE -> NON_POSITIVE_PRICE;
            case PRICE_TOO_LARGE -> PRICE_TOO_LARGE;
            case DUPLICATE_ORDER_ID -> DUPLICATE_ORDER_ID;
            case UNKNOWN_ORDER -> UNKNOWN_ORDER;
            case POST_ONLY_WOULD_CROSS -> POST_ONLY_WOULD_CROSS;
            case FILL_OR_KILL_NOT_FILLABLE -> FILL_OR_KILL_NOT_FILLABLE;
            case BOOK_FULL -> BOOK_FULL;
            case PRICES_TOO_SCATTERED -> PRICES_TOO_SCATTERED;
        };
    }
}
