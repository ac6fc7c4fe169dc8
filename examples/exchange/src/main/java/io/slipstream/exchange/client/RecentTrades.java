package io.slipstream.exchange.client;

import io.slipstream.exchange.Side;
import java.util.List;

/** The newest trades of an instrument, oldest first. */
public record RecentTrades(int instrument, List<Trade> trades) {
    /** Keeps a copy of the list. */
    public RecentTrades {
        trades = List.copyOf(trades);
    }

    /**
     * A trade.
     *
     * @param number 1 for the first of the instrument, and one more for each later one
     * @param taker  the side of the order that arrived
     */
    public record Trade(long number, long price, long quantity, Side taker) {}
}
