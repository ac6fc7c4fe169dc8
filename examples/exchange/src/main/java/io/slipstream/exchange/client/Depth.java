package io.slipstream.exchange.client;

import java.util.List;

/** The best price levels of an instrument, each side best first. */
public record Depth(int instrument, List<Level> bids, List<Level> asks) {
    /** Keeps copies of the lists. */
    public Depth {
        bids = List.copyOf(bids);
        asks = List.copyOf(asks);
    }

    /** All orders of one side and one price: their open quantity, and how many they are. */
    public record Level(long price, long quantity, int orders) {}
}
