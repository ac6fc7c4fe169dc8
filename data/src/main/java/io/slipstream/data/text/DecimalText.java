package io.slipstream.data.text;

import java.util.Objects;

/**
 * Decimals for money and quantities as text: mantissa and scale, and no {@code double} in between. 12.50 at scale 2 is
 * the mantissa 1250. Stateless; any thread may call it.
 */
public final class DecimalText {
    /** The greatest scale. */
    public static final int MAX_SCALE = 18;

    /** Bytes of the longest text that is written. */
    public static final int MAX_LENGTH = 21;

    private DecimalText() {}

    /**
     * Writes {@code mantissa / 10^scale} with exactly {@code scale} decimals, as
     * {@link java.math.BigDecimal#toPlainString} does.
     *
     * @param scale from 0 to {@value #MAX_SCALE}
     * @return the index behind the last byte written
     * @throws IndexOutOfBoundsException if there is no room; some of the bytes may be written then
     */
    public static int write(long mantissa, int scale, byte[] to, int at) {
        if (scale == 0) {
            return LongText.write(mantissa, to, at);
        }
        long power = power(scale);
        int position = at;
        long value = mantissa;
        if (value < 0) {
            to[position++] = '-';
            value = -value;
        }
        // The least mantissa has no opposite, but is right when taken as unsigned.
        long whole = value >= 0 ? value / power : Long.divideUnsigned(value, power);
        int digits = Digits.count(whole);
        Digits.write(whole, digits, to, position);
        position += digits;
        to[position++] = '.';
        Digits.write(value - whole * power, scale, to, position);
        return position + scale;
    }

    /**
     * Returns the mantissa at {@code scale} of the decimal from {@code begin} to {@code end}: sign, digits, a point and
     * decimals, of which digits must be there on one side of the point. It is never rounded: decimals beyond the scale
     * must be zeros.
     *
     * @throws TextException             if it is not such a number, has more decimals, or is out of range at this scale
     * @throws IndexOutOfBoundsException if the range is not in the array
     */
    public static long parse(byte[] bytes, int begin, int end, int scale) {
        Objects.checkFromToIndex(begin, end, bytes.length);
        long missing = power(scale);
        int at = begin;
        boolean negative = false;
        if (at < end && (bytes[at] == '-' || bytes[at] == '+')) {
            negative = bytes[at] == '-';
            at++;
        }
        int first = at;
        int point = -1;
        long value = 0;
        for (; at < end; at++) {
            int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9) {
                if (bytes[at] != '.' || point >= 0) {
                    throw TextException.at(bytes, begin, end, at, point < 0 ? "a digit or a point" : "a digit");
                }
                point = at;
            } else if (point >= 0 && at - point > scale) {
                if (digit != 0) {
                    throw TextException.at(bytes, begin, end, at, "at most " + scale + " decimals");
                }
            } else {
                if (value <= -922_337_203_685_477_580L && (value < -922_337_203_685_477_580L || digit > 8)) {
                    throw outOfRange(bytes, begin, end, scale);
                }
                value = value * 10 - digit;
            }
        }
        if (end == first || point >= 0 && end - first == 1) {
            throw TextException.at(bytes, begin, end, end, "a digit");
        }
        int decimals = point < 0 ? 0 : Math.min(scale, end - point - 1);
        if (decimals < scale) {
            missing = Digits.power(scale - decimals);
            if (value < Long.MIN_VALUE / missing) {
                throw outOfRange(bytes, begin, end, scale);
            }
            value *= missing;
        }
        if (!negative && value == Long.MIN_VALUE) {
            throw outOfRange(bytes, begin, end, scale);
        }
        return negative ? value : -value;
    }

    /** Returns how many decimals stand behind the point, 0 if there is none; whether it is a number is not checked. */
    public static int scaleOf(byte[] bytes, int begin, int end) {
        Objects.checkFromToIndex(begin, end, bytes.length);
        for (int i = end - 1; i >= begin; i--) {
            if (bytes[i] == '.') {
                return end - 1 - i;
            }
        }
        return 0;
    }

    private static long power(int scale) {
        if (scale < 0 || scale > MAX_SCALE) {
            throw new IllegalArgumentException("a scale is from 0 to " + MAX_SCALE + ", not " + scale);
        }
        return Digits.power(scale);
    }

    private static TextException outOfRange(byte[] bytes, int begin, int end, int scale) {
        return TextException.at(
                bytes, begin, end, begin, "a decimal whose mantissa at scale " + scale + " is from -2^63 to 2^63-1");
    }
}
