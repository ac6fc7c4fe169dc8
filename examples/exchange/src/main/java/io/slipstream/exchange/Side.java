package io.slipstream.exchange;

/** The side of an order. */
public enum Side {
    /** Wants to buy: a bid when it rests. Higher prices come first. */
    BUY,
    /** Wants to sell: an ask when it rests. Lower prices come first. */
    SELL;

    /** The other side. */
    public Side opposite() {
        return this == BUY ? SELL : BUY;
    }
}
