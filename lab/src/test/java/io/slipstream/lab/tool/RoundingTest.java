package io.slipstream.lab.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoundingTest {
    private static final int VALUES = 100_000;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5, 9, 22})
    void agreesWithBigDecimalForAllKindsOfValues(int places) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        double power = Math.pow(10, places);
        for (int i = 0; i < VALUES; i++) {
            check(random.nextDouble() * 1e6 - 5e5, places, seed);
            // Right in the middle between two results, as near as a double can be, and its neighbours.
            double middle = (random.nextInt(2_000_000) - 1_000_000 + 0.5) / power;
            check(middle, places, seed);
            check(Math.nextUp(middle), places, seed);
            check(Math.nextDown(middle), places, seed);
            if (i % 8 == 0) {
                double any = Double.longBitsToDouble(random.nextLong());
                if (Math.abs(any) < 1e30 && Math.abs(any) > 1e-30) {
                    check(any, places, seed);
                }
            }
        }
    }

    @Test
    void leavesWhatIsNoNumberAlone() {
        assertThat(Rounding.halfUp(Double.NaN, 2)).isNaN();
        assertThat(Rounding.halfUp(Double.POSITIVE_INFINITY, 2)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(Rounding.halfUp(Double.MAX_VALUE, 2)).isEqualTo(Double.MAX_VALUE);
        assertThat(Double.doubleToRawLongBits(Rounding.halfUp(-0.001, 2))).isZero();
    }

    @Test
    void theCastIsOffWhereTheProductIsRounded() {
        assertThat(Rounding.halfUp(1.115, 2)).isEqualTo(1.11);
        assertThat(Rounding.byCast(1.115, 2)).isEqualTo(1.12);
    }

    @Test
    void refusesMorePlacesThanItHas() {
        assertThatThrownBy(() -> Rounding.halfUp(1, 23)).hasMessage("places must be 0 to 22, not 23");
    }

    private static void check(double value, int places, long seed) {
        double expected =
                new BigDecimal(value).setScale(places, RoundingMode.HALF_UP).doubleValue();
        double actual = Rounding.halfUp(value, places);
        if (Double.compare(expected, actual) != 0) {
            throw new AssertionError(value + " to " + places + " places: expected " + expected + " but was " + actual
                    + " (seed " + seed + ")");
        }
    }
}
