package io.slipstream.keyvalue.resp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as Redis reads and writes them. */
public final class Numbers {
    private Numbers() {
    }

    /** Reads a number of 64 bits without plus, leading zeros or blanks; throws {@code otherwise} if it is none. */
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
                if (lower.isEmpty() || lower.chars().anyMatch(c -> "0123456789+-.e".indexOf(c) < 0)) {
                    throw otherwise;
                }
                try {
                    return Double.parseDouble(lower);
                } catch (NumberFormatException e) {
                    throw otherwise;
                }
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
        BigDecimal exact = new BigDecimal(value).round(new java.math.MathContext(17, RoundingMode.HALF_EVEN))
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

    /** Writes a sum of fractions: up to 17 digits behind the point, without zeros at the end. */
    public static String plain(BigDecimal value) {
        BigDecimal rounded = value.setScale(17, RoundingMode.HALF_EVEN).stripTrailingZeros();
        return rounded.signum() == 0 ? "0" : rounded.toPlainString();
    }
}
