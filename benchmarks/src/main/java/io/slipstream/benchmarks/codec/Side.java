package io.slipstream.benchmarks.codec;

/** Of an order. */
public enum Side {
    /** Who buys. */
    BUY,
    /** Who sells. */
    SELL
}
