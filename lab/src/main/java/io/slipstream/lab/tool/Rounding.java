package io.slipstream.lab.tool;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Rounds a double to decimal places, half away from zero, exactly: the result is what
 * {@code new BigDecimal(value).setScale(places, HALF_UP).doubleValue()} gives, for every finite value, without its
 * cost.
 *
 * <p>Scaling alone is not exact: 1.115 lies below the middle, but 1.115 * 100 is rounded to a product above it. What
 * the product lost is regained by a fused multiply-add and decides the cases in the middle. The quotient of two
 * integers below 2^53 is the double nearest to the decimal number. Values whose product leaves that range take the way
 * through {@link BigDecimal}.
 */
public final class Rounding {
    public static final int MAX_PLACES = 22;

    private static final double[] POWERS_OF_TEN = powersOfTen();
    private static final double EXACT_BELOW = 0x1p52;

    private Rounding() {}

    /**
     * The nearest decimal number of so many places, as a double.
     *
     * @param places decimal places, 0 to {@link #MAX_PLACES}
     * @throws IllegalArgumentException when {@code places} is out of range
     */
    public static double halfUp(double value, int places) {
        if (places < 0 || places > MAX_PLACES) {
            throw new IllegalArgumentException("places must be 0 to " + MAX_PLACES + ", not " + places);
        }
        double size = Math.abs(value);
        if (!(size < EXACT_BELOW)) {
            return value;
        }
        double factor = POWERS_OF_TEN[places];
        double product = size * factor;
        if (product >= EXACT_BELOW) {
            return new BigDecimal(value).setScale(places, RoundingMode.HALF_UP).doubleValue();
        }
        double lost = Math.fma(size, factor, -product);
        long whole = (long) product;
        double rest = product - whole;
        if (rest > 0.5 || (rest == 0.5 && lost >= 0)) {
            whole++;
        }
        // Adding zero makes minus zero plus zero, as BigDecimal does.
        return Math.copySign(whole / factor, value) + 0.0;
    }

    /**
     * Scales and casts: the quick way of the articles, which is off by one unit in the last place for some values in
     * the middle.
     */
    public static double byCast(double value, int places) {
        double factor = POWERS_OF_TEN[places];
        return (long) (value < 0 ? value * factor - 0.5 : value * factor + 0.5) / factor;
    }

    private static double[] powersOfTen() {
        double[] powers = new double[MAX_PLACES + 1];
        for (int i = 0; i < powers.length; i++) {
            powers[i] = Double.parseDouble("1e" + i);
        }
        return powers;
    }
}
