package io.slipstream.benchmarks.text;

import io.slipstream.data.text.DecimalText;
import io.slipstream.data.text.DoubleText;
import io.slipstream.data.text.InstantText;
import io.slipstream.data.text.LongText;
import java.util.SplittableRandom;

/** The same values as numbers and as text. */
final class Values {
    static final int COUNT = 200_000;
    static final int SLOT = 32;
    static final int SCALE = 4;

    final long[] longs = new long[COUNT];
    final double[] doubles = new double[COUNT];
    final long[] instants = new long[COUNT];
    final long[] decimals = new long[COUNT];
    final byte[] longText = new byte[COUNT * SLOT];
    final byte[] doubleText = new byte[COUNT * SLOT];
    final byte[] instantText = new byte[COUNT * SLOT];
    final byte[] decimalText = new byte[COUNT * SLOT];
    final int[] longEnd = new int[COUNT];
    final int[] doubleEnd = new int[COUNT];
    final int[] instantEnd = new int[COUNT];
    final int[] decimalEnd = new int[COUNT];

    Values() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < COUNT; i++) {
            int at = i * SLOT;
            longs[i] = random.nextLong() >> random.nextInt(60);
            longEnd[i] = LongText.write(longs[i], longText, at);
            doubles[i] = i % 2 == 0 ? random.nextDouble() * 1000 : random.nextInt(10_000_000) / 100.0;
            doubleEnd[i] = DoubleText.write(doubles[i], doubleText, at);
            instants[i] = random.nextLong(1_900_000_000_000_000_000L);
            instantEnd[i] = InstantText.write(instants[i], instantText, at);
            decimals[i] = random.nextLong(10_000_000_000L) - 5_000_000_000L;
            decimalEnd[i] = DecimalText.write(decimals[i], SCALE, decimalText, at);
        }
    }
}
