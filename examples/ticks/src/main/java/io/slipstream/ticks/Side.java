package io.slipstream.ticks;

/** Who took the initiative. */
public enum Side {
    /** The buyer. */
    BUY,
    /** The seller. */
    SELL
}
