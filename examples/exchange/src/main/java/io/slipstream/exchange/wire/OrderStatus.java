package io.slipstream.exchange.wire;

/** What has become of the order that a command was about. */
public enum OrderStatus {
    /** Nothing was said of it yet. */
    UNKNOWN,
    /** The remaining quantity is in the book. */
    RESTING,
    /** Nothing remains. */
    FILLED,
    /** The remaining quantity is not in the book, or not any more. */
    CANCELLED,
    /** The command was refused and has changed nothing. */
    REJECTED
}
