package io.slipstream.keyvalue.resp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as Redis reads and writes them. */
public final class Numbers {
    private static final int MAX_DIGITS = 5_120;
    private static final int PRECISION = 64;
    private static final double LOG2_OF_10 = Math.log(10) / Math.log(2);
    private static final BigDecimal TWO = BigDecimal.TWO;
    private static final BigDecimal LEAST = TWO.pow(PRECISION - 1);

    private Numbers() {}

    /**
     * Reads a number of 64 bits without a plus, leading zeros or blanks, and throws {@code otherwise} if it is none.
     */
    public static long parse(MemorySegment memory, long offset, int length, RedisError otherwise) {
        int at = 0;
        boolean negative = length > 1 && memory.get(ValueLayout.JAVA_BYTE, offset) == '-';
        if (negative) {
            at = 1;
        }
        if (length == 0 || length > 20) {
            throw otherwise;
        }
        int first = memory.get(ValueLayout.JAVA_BYTE, offset + at);
        if (first == '0' && length > 1) {
            throw otherwise;
        }
        long value = 0;
        for (; at < length; at++) {
            int digit = memory.get(ValueLayout.JAVA_BYTE, offset + at) - '0';
            // Negative throughout, because there is one more of those.
            if (digit < 0 || digit > 9 || value < Long.MIN_VALUE / 10 || value * 10 < Long.MIN_VALUE + digit) {
                throw otherwise;
            }
            value = value * 10 - digit;
        }
        if (!negative && value == Long.MIN_VALUE) {
            throw otherwise;
        }
        return negative ? value : -value;
    }

    /** Reads a number with a fraction, {@code inf} too, and throws {@code otherwise} if it is none. */
    public static double parseDouble(String text, RedisError otherwise) {
        String lower = text.toLowerCase(Locale.ROOT);
        switch (lower) {
            case "inf", "+inf", "infinity", "+infinity" -> {
                return Double.POSITIVE_INFINITY;
            }
            case "-inf", "-infinity" -> {
                return Double.NEGATIVE_INFINITY;
            }
            default -> {
                if (lower.isEmpty()
                        || lower.length() > MAX_DIGITS
                        || lower.chars().anyMatch(c -> "0123456789+-.e".indexOf(c) < 0)) {
                    throw otherwise;
                }
                double value;
                try {
                    value = Double.parseDouble(lower);
                } catch (NumberFormatException e) {
                    throw otherwise;
                }
                if (Double.isInfinite(value)) {
                    // Too large for a number: only a word says that infinity is meant.
                    throw otherwise;
                }
                return value;
            }
        }
    }

    /** Writes a score as C does with {@code %.17g}, or shorter if nothing is lost. */
    public static String format(double value) {
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        if (value == Math.rint(value) && Math.abs(value) < 1e17) {
            return value == 0 && 1 / value < 0 ? "-0" : Long.toString((long) value);
        }
        BigDecimal exact = new BigDecimal(value)
                .round(new MathContext(17, RoundingMode.HALF_EVEN))
                .stripTrailingZeros();
        int exponent = exact.precision() - exact.scale() - 1;
        if (exponent >= -4 && exponent < 17) {
            return exact.toPlainString();
        }
        String digits = exact.unscaledValue().abs().toString();
        String sign = exact.signum() < 0 ? "-" : "";
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        return sign + digits.charAt(0) + fraction + "e" + (exponent < 0 ? "-" : "+")
                + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    /**
     * Adds two numbers with fractions as Redis does: with the 64 bits of precision of a {@code long double}, and up to
     * 17 digits behind the point.
     */
    public static String sum(String first, String second) {
        BigDecimal sum = extended(read(first).add(read(second)));
        BigDecimal rounded = sum.setScale(17, RoundingMode.HALF_EVEN).stripTrailingZeros();
        return rounded.signum() == 0 ? "0" : rounded.toPlainString();
    }

    private static BigDecimal read(String text) {
        // What is nothing as a double would only be a long row of zeros.
        return Double.parseDouble(text) == 0 ? BigDecimal.ZERO : extended(new BigDecimal(text));
    }

    /** Rounds to the nearest number of {@value #PRECISION} binary digits. */
    private static BigDecimal extended(BigDecimal value) {
        if (value.signum() == 0) {
            return value;
        }
        int binary = (int) Math.ceil((value.precision() - value.scale()) * LOG2_OF_10) + 1;
        BigDecimal scaled = scale(value, PRECISION - binary);
        while (scaled.abs().compareTo(LEAST) < 0) {
            binary--;
            scaled = scaled.multiply(TWO);
        }
        while (scaled.abs().compareTo(LEAST.multiply(TWO)) >= 0) {
            binary++;
            scaled = scale(scaled, -1);
        }
        return scale(scaled.setScale(0, RoundingMode.HALF_EVEN), binary - PRECISION);
    }

    private static BigDecimal scale(BigDecimal value, int powerOfTwo) {
        return powerOfTwo >= 0 ? value.multiply(TWO.pow(powerOfTwo)) : value.divide(TWO.pow(-powerOfTwo));
    }
}
