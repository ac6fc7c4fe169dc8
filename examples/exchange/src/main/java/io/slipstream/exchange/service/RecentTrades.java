package io.slipstream.exchange.service;

import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.TradesAnswer;
import io.slipstream.exchange.wire.TradesQuery;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The newest trades of each instrument, for those who look on. An instrument takes memory with its first trade. */
final class RecentTrades {
    private static final int KEPT = TradesQuery.MAX_TRADES;
    private static final int WORDS = 3;
    private static final long[] NONE = {};

    private final long[][] byInstrument;
    private final long[] oldest;
    private final long[] newest;

    RecentTrades(int instruments) {
        this.byInstrument = new long[instruments][];
        Arrays.fill(byInstrument, NONE);
        this.oldest = new long[instruments];
        this.newest = new long[instruments];
    }

    void add(int instrument, long number, long price, long quantity, Side taker) {
        long[] trades = byInstrument[instrument];
        if (trades == NONE) {
            trades = new long[WORDS * KEPT];
            byInstrument[instrument] = trades;
            // A machine that was loaded from a snapshot goes on with the number that came next.
            oldest[instrument] = number;
        }
        int at = place(number);
        trades[at] = price;
        trades[at + 1] = quantity;
        trades[at + 2] = taker == Side.BUY ? 0 : 1;
        newest[instrument] = number;
    }

    /** Writes the answer with those of the newest {@code most} that come after a trade; returns its bytes. */
    int encode(int instrument, long after, int most, MemorySegment to) {
        long last = newest[instrument];
        // Never more than are kept, whatever was asked.
        long first = Math.max(oldest[instrument], Math.max(Math.min(after, last), last - Math.min(most, KEPT)) + 1);
        long[] trades = byInstrument[instrument];
        int count = trades == NONE ? 0 : (int) Math.max(0, last - first + 1);
        TradesAnswer.encodeHeader(to, 0, instrument, count);
        for (int i = 0; i < count; i++) {
            int at = place(first + i);
            Side taker = trades[at + 2] == 0 ? Side.BUY : Side.SELL;
            TradesAnswer.encodeTrade(to, 0, i, first + i, trades[at], trades[at + 1], taker);
        }
        return TradesAnswer.bytes(count);
    }

    private static int place(long number) {
        return WORDS * (int) (number % KEPT);
    }
}
