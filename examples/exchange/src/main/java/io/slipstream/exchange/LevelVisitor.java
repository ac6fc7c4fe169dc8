package io.slipstream.exchange;

/** Is shown the price levels of one side of a book, best first. */
@FunctionalInterface
public interface LevelVisitor {
    /** One level: its price, the open quantity of all orders at it, and how many these are. */
    void level(long price, long quantity, int orders);
}
