package io.slipstream.data.text;

/*
 * From decimal to the nearest double: Clinger's fast path where mantissa and power are exact, otherwise Eisel and
 * Lemire. See Daniel Lemire, "Number Parsing at a Gigabyte per Second", 2021, and Noble Mushtak and Daniel Lemire,
 * "Fast Number Parsing Without Fallback", 2022, which shows that 128 bits of the power always decide.
 */
final class NearestDouble {
    private static final int MANTISSA_BITS = 52;
    private static final long HIDDEN = 1L << MANTISSA_BITS;
    private static final long PRECISION_MASK = -1L >>> MANTISSA_BITS + 3;
    private static final int INFINITE_POWER = 0x7FF;
    private static final double[] EXACT = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    private NearestDouble() {}

    /** Returns the double nearest to {@code mantissa * 10^exponent}, ties to even; the mantissa is unsigned. */
    static double nearest(long mantissa, int exponent, boolean negative) {
        if (mantissa >>> MANTISSA_BITS + 1 == 0 && exponent >= -22 && exponent <= 22) {
            double exact = exponent < 0 ? mantissa / EXACT[-exponent] : mantissa * EXACT[exponent];
            return negative ? -exact : exact;
        }
        long bits = bits(mantissa, exponent);
        return Double.longBitsToDouble(negative ? bits | Long.MIN_VALUE : bits);
    }

    private static long bits(long mantissa, int exponent) {
        if (mantissa == 0 || exponent < PowersOfTen.LEAST) {
            return 0;
        }
        if (exponent > PowersOfTen.GREATEST) {
            return (long) INFINITE_POWER << MANTISSA_BITS;
        }
        int zeros = Long.numberOfLeadingZeros(mantissa);
        long w = mantissa << zeros;
        int index = 2 * (exponent - PowersOfTen.LEAST);
        long factor = PowersOfTen.READ[index];
        long high = Math.unsignedMultiplyHigh(w, factor);
        long low = w * factor;
        if ((high & PRECISION_MASK) == PRECISION_MASK) {
            long carry = Math.unsignedMultiplyHigh(w, PowersOfTen.READ[index + 1]);
            low += carry;
            if (Long.compareUnsigned(low, carry) < 0) {
                high++;
            }
        }
        int upper = (int) (high >>> 63);
        int shift = upper + 64 - MANTISSA_BITS - 3;
        long m = high >>> shift;
        int power = ((152_170 + 65_536) * exponent >> 16) + 63 + upper - zeros + 1023;
        if (power <= 0) {
            return subnormal(m, power);
        }
        if (Long.compareUnsigned(low, 1) <= 0
                && exponent >= -4
                && exponent <= 23
                && (m & 3) == 1
                && m << shift == high) {
            // Exactly between two: the next step rounds up, and to even means down here.
            m &= ~1L;
        }
        m = m + (m & 1) >>> 1;
        if (m >= 2 * HIDDEN) {
            m = HIDDEN;
            power++;
        }
        return power >= INFINITE_POWER
                ? (long) INFINITE_POWER << MANTISSA_BITS
                : (long) power << MANTISSA_BITS | m & HIDDEN - 1;
    }

    private static long subnormal(long mantissa, int power) {
        if (1 - power >= 64) {
            return 0;
        }
        long m = mantissa >>> 1 - power;
        // What becomes normal by rounding has the right bits by itself.
        return m + (m & 1) >>> 1;
    }
}
