package io.slipstream.ticks;

import java.util.List;
import java.util.SplittableRandom;

/** Makes trades up: the same ones each time. Prices walk at random; times go from nine to half past five. */
final class Market {
    static final List<String> SYMBOLS = List.of("AAA", "BBB", "CCC", "DDD", "EEE", "FFF", "GGG", "HHH");

    private static final long NINE = 1_795_424_400_000_000_000L; // 2026-11-23T09:00:00Z
    private static final long DAY_NANOS = 8L * 3_600_000_000_000L + 1_800_000_000_000L;
    private static final long ODD = 0x9e37_79b9_7f4a_7c15L;

    private final SplittableRandom random = new SplittableRandom(2026);
    private final long[] prices = new long[SYMBOLS.size()];
    private final long trades;
    private long quantity;

    Market(long trades) {
        this.trades = trades;
        for (int i = 0; i < prices.length; i++) {
            prices[i] = 10_000L * (i + 1);
        }
    }

    /** Returns the number of trade {@code i}: no two are equal, and they are in no order. */
    static long id(long i) {
        return i * ODD;
    }

    /** Fills in trade {@code i}; call it for each in turn. */
    void fill(Trade trade, long i) {
        int symbol = random.nextInt(prices.length);
        prices[symbol] = Math.max(100, prices[symbol] + random.nextInt(11) - 5);
        int size = 100 * (1 + random.nextInt(20));
        quantity += size;
        trade.id(id(i));
        trade.time(NINE + (long) ((double) DAY_NANOS * i / trades));
        trade.symbol(SYMBOLS.get(symbol));
        trade.side(random.nextBoolean() ? Side.BUY : Side.SELL);
        trade.price(prices[symbol]);
        trade.quantity(size);
        trade.auction(i < trades / 1_000);
    }

    /** Returns the quantity of all trades so far. */
    long quantity() {
        return quantity;
    }
}
