package io.slipstream.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps account of a book from its events alone, and holds each event against the rules: no quantity appears or
 * vanishes, and no order trades before one that has a better price, or the same price and waited longer.
 */
final class Ledger implements BookListener {
    private record Name(long owner, long orderId) {}

    private static final class Entry {
        private final Side side;
        private final OrderType type;
        private long price;
        private long open;
        private long arrival;

        Entry(Side side, OrderType type, long price, long open, long arrival) {
            this.side = side;
            this.type = type;
            this.price = price;
            this.open = open;
            this.arrival = arrival;
        }
    }

    private final Map<Name, Entry> entries = new HashMap<>();
    private long arrivals;
    private long trades;
    private long placed;
    private long traded;
    private long cancelled;
    private long resized;

    @Override
    public void accepted(long owner, long orderId, Side side, OrderType type, long price, long quantity) {
        placed += quantity;
        entries.put(new Name(owner, orderId), new Entry(side, type, price, quantity, ++arrivals));
    }

    @Override
    public void rejected(long owner, long orderId, RejectReason reason) {
        // Changes nothing.
    }

    @Override
    public void trade(
            long tradeId,
            Side takerSide,
            long makerOwner,
            long makerOrderId,
            long takerOwner,
            long takerOrderId,
            long price,
            long quantity,
            long makerRemaining,
            long takerRemaining) {
        assertThat(tradeId).isEqualTo(++trades);
        Name makerName = new Name(makerOwner, makerOrderId);
        Name takerName = new Name(takerOwner, takerOrderId);
        Entry maker = entry(makerName);
        Entry taker = entry(takerName);
        assertThat(quantity).isPositive();
        assertThat(taker.side).isEqualTo(takerSide);
        assertThat(maker.side).isEqualTo(takerSide.opposite());
        assertThat(maker.price).isEqualTo(price);
        if (taker.type != OrderType.MARKET) {
            assertThat(takerSide == Side.BUY ? taker.price - price : price - taker.price)
                    .isNotNegative();
        }
        assertThat(entries.values().stream()
                        .filter(entry -> entry.side == maker.side)
                        .min(priority(maker.side)))
                .get()
                .isSameAs(maker);
        fill(makerName, maker, quantity, makerRemaining);
        fill(takerName, taker, quantity, takerRemaining);
        traded += 2 * quantity;
    }

    @Override
    public void replaced(long owner, long orderId, Side side, long price, long remaining, boolean keptPriority) {
        Entry entry = entry(new Name(owner, orderId));
        assertThat(keptPriority).isEqualTo(entry.price == price && remaining <= entry.open);
        resized += remaining - entry.open;
        entry.price = price;
        entry.open = remaining;
        if (!keptPriority) {
            entry.arrival = ++arrivals;
        }
    }

    @Override
    public void cancelled(long owner, long orderId, Side side, long remaining, CancelReason reason) {
        Name name = new Name(owner, orderId);
        Entry entry = entry(name);
        assertThat(entry.side).isEqualTo(side);
        assertThat(entry.open).isEqualTo(remaining).isPositive();
        cancelled += remaining;
        entries.remove(name);
    }

    /** Holds the account against the book, in order. */
    void assertAgreesWith(OrderBook book) {
        for (Side side : Side.values()) {
            List<String> accounted = new ArrayList<>();
            entries.entrySet().stream()
                    .filter(entry -> entry.getValue().side == side)
                    .sorted(Map.Entry.comparingByValue(priority(side)))
                    .forEach(entry ->
                            accounted.add(entry.getKey() + " " + entry.getValue().price + " " + entry.getValue().open));
            List<String> resting = new ArrayList<>();
            book.orders(
                    side,
                    (owner, orderId, ownSide, type, price, quantity, remaining) ->
                            resting.add(new Name(owner, orderId) + " " + price + " " + remaining));
            assertThat(resting).isEqualTo(accounted);
        }
        long open = entries.values().stream().mapToLong(entry -> entry.open).sum();
        assertThat(placed + resized).isEqualTo(traded + cancelled + open);
        assertThat(book.trades()).isEqualTo(trades);
    }

    private Entry entry(Name name) {
        Entry entry = entries.get(name);
        if (entry == null) {
            throw new AssertionError(name + " has left, or never came");
        }
        return entry;
    }

    private void fill(Name name, Entry entry, long quantity, long remaining) {
        entry.open -= quantity;
        assertThat(entry.open).isEqualTo(remaining).isNotNegative();
        if (remaining == 0) {
            entries.remove(name);
        }
    }

    private static Comparator<Entry> priority(Side side) {
        Comparator<Entry> byPrice = Comparator.comparingLong(entry -> entry.price);
        return (side == Side.BUY ? byPrice.reversed() : byPrice).thenComparingLong(entry -> entry.arrival);
    }
}
