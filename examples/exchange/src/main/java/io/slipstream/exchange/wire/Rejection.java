package io.slipstream.exchange.wire;

import io.slipstream.exchange.RejectReason;

/** Why a command or query was refused: by the book (from 1), or because it could not be decoded (from 64). */
public enum Rejection {
    /** It was not refused. */
    NONE(0),

    /** No such instrument is listed. */
    UNKNOWN_INSTRUMENT(1),
    /** The quantity is zero or negative. */
    NON_POSITIVE_QUANTITY(2),
    /** The quantity is above {@link io.slipstream.exchange.OrderBook#MAX_QUANTITY}. */
    QUANTITY_TOO_LARGE(3),
    /** The price is zero or negative. */
    NON_POSITIVE_PRICE(4),
    /** The price is above {@link io.slipstream.exchange.OrderBook#MAX_PRICE}. */
    PRICE_TOO_LARGE(5),
    /** The client has an order with this id resting, in this book or in another one. */
    DUPLICATE_ORDER_ID(6),
    /** The client has no order with this id resting in this book: never placed, filled, or cancelled. */
    UNKNOWN_ORDER(7),
    /** A post-only order would have traded. */
    POST_ONLY_WOULD_CROSS(8),
    /** The book holds less than the whole quantity within the price of a fill-or-kill order. */
    FILL_OR_KILL_NOT_FILLABLE(9),
    /** As many orders rest as the exchange has room for. */
    BOOK_FULL(10),
    /** So many orders rest at prices far from all others that there is no room for one more such price. */
    PRICES_TOO_SCATTERED(11),

    /** There is no such type of command, or of query. */
    UNKNOWN_TYPE(64),
    /** It has fewer bytes than its type needs. */
    TOO_SHORT(65),
    /** It has more bytes than its type has. */
    TOO_LONG(66),
    /** The side is neither of the two. */
    UNKNOWN_SIDE(67),
    /** There is no such type of order. */
    UNKNOWN_ORDER_TYPE(68),
    /** The number of levels is not from 1 to {@link DepthQuery#MAX_LEVELS}. */
    LEVELS_OUT_OF_RANGE(69),

    /** A reason that this version does not know. */
    UNKNOWN(127);

    private static final Rejection[] BY_CODE = new Rejection[128];

    static {
        for (Rejection rejection : values()) {
            BY_CODE[rejection.code] = rejection;
        }
    }

    private final int code;

    Rejection(int code) {
        this.code = code;
    }

    /** Returns the number on the wire, from 0 to 127. */
    public int code() {
        return code;
    }

    /** Returns the rejection with that number, or {@link #UNKNOWN}. */
    public static Rejection of(int code) {
        Rejection rejection = code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
        return rejection == null ? UNKNOWN : rejection;
    }

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
