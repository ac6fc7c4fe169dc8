package io.slipstream.exchange;

/** A resting order as a value. */
record OrderLine(long owner, long orderId, Side side, OrderType type, long price, long quantity, long remaining) {}
