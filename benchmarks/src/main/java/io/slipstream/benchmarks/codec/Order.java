package io.slipstream.benchmarks.codec;

import java.io.Serializable;

/** A message of six fields. */
public record Order(long id, long price, long quantity, int instrument, Side side, long time) implements Serializable {
    static Order of(int i) {
        return new Order(
                i, 100_000L + i, 10L * i, i & 0xff, (i & 1) == 0 ? Side.BUY : Side.SELL, 1_700_000_000_000L + i);
    }

    long sum() {
        return sum(id, price, quantity, instrument, side.ordinal(), time);
    }

    static long sum(long id, long price, long quantity, int instrument, int side, long time) {
        return id + 3 * price + 5 * quantity + 7L * instrument + 11L * side + 13 * time;
    }
}
