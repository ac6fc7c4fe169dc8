package io.slipstream.benchmarks.codec;

import io.slipstream.data.annotation.Length;
import java.io.Serializable;

/** The object of experiment B14. */
public record Thing(
        long number,
        boolean flag,
        int first,
        int second,
        @Length(10) double[] doubles,
        @Length(10) long[] longs) implements Serializable {
    static final int ARRAY = 10;

    static Thing of(int i) {
        double[] doubles = new double[ARRAY];
        long[] longs = new long[ARRAY];
        for (int k = 0; k < ARRAY; k++) {
            doubles[k] = i + k;
            longs[k] = 1_000L * i - k;
        }
        return new Thing(i, (i & 1) == 0, i + 1, i + 2, doubles, longs);
    }

    long sum() {
        return sum(number, flag, first, second, doubles, longs);
    }

    static long sum(long number, boolean flag, int first, int second, double[] doubles, long[] longs) {
        long sum = number + (flag ? 3 : 5) + 7L * first + 11L * second;
        for (int k = 0; k < ARRAY; k++) {
            sum += (k + 1) * ((long) doubles[k] + 13 * longs[k]);
        }
        return sum;
    }
}
