package io.slipstream.benchmarks.exchange;

import java.util.List;

/** One empty book, to be given the commands once. */
interface Competitor {
    /** A price level: price, open quantity, orders. */
    record Level(long price, long quantity, long orders) {}

    /** Gives all commands to the book. */
    void run(Commands commands);

    /** The trades that it made. */
    TradeHash trades();

    /** All levels, bids before asks, best first. */
    List<Level> depth();
}
