package io.slipstream.exchange.wire;

/** Which of the two orders of a trade. */
public enum Role {
    /** The order that rested. */
    MAKER,
    /** The order that arrived. */
    TAKER
}
