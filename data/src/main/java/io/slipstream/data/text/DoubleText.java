package io.slipstream.data.text;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Doubles as text, the same as {@link Double#toString(double)} and {@link Double#parseDouble(String)} for all values.
 * Stateless; any thread may call it.
 *
 * <p>It reads an optional sign and either digits with an optional point and exponent, or {@code NaN}, or
 * {@code Infinity}; not what else the JDK accepts: white space, hexadecimal digits, and an {@code f} or {@code d} at
 * the end.
 */
public final class DoubleText {
    /** Bytes of the longest text that is written. */
    public static final int MAX_LENGTH = 24;

    private static final int SIGNIFICANT = 19;
    private static final byte[] NAN = "NaN".getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] INFINITY = "Infinity".getBytes(StandardCharsets.ISO_8859_1);
    private static final String EXPECTED = "a digit";

    private DoubleText() {}

    /**
     * Writes {@code value} as {@link Double#toString(double)} does: the fewest digits that give the same value when
     * read, at least one before and one behind the point.
     *
     * @return the index behind the last byte written
     * @throws IndexOutOfBoundsException if there is no room; some of the bytes may be written then
     */
    public static int write(double value, byte[] to, int at) {
        return ShortestDecimal.write(value, to, at);
    }

    /**
     * Returns the double that is nearest to the number from {@code begin} to {@code end}, as {@link Double#parseDouble}
     * does.
     *
     * <p>Only a number of more than {@value #SIGNIFICANT} significant digits can make garbage, if the first ones do not
     * decide.
     *
     * @throws TextException             if it is no such number
     * @throws IndexOutOfBoundsException if the range is not in the array
     */
    public static double parse(byte[] bytes, int begin, int end) {
        Objects.checkFromToIndex(begin, end, bytes.length);
        int at = begin;
        boolean negative = false;
        if (at < end && (bytes[at] == '-' || bytes[at] == '+')) {
            negative = bytes[at] == '-';
            at++;
        }
        int first = at;
        long mantissa = 0;
        while (end - at >= 8) {
            long word = (long) Digits.LONG.get(bytes, at);
            if (!Digits.areEight(word)) {
                break;
            }
            mantissa = mantissa * 100_000_000 + Digits.valueOfEight(word);
            at += 8;
        }
        byte b = 0;
        if (at + 8 <= bytes.length) {
            long word = (long) Digits.LONG.get(bytes, at);
            int count = Math.min(Digits.leading(word), Math.min(end - at, 7));
            if (count > 0) {
                mantissa = mantissa * Digits.power(count) + Digits.valueOfEight(Digits.padded(word, count));
                at += count;
            }
        }
        while (at < end && Digits.isDigit(b = bytes[at])) {
            mantissa = mantissa * 10 + b - '0';
            at++;
        }
        int digits = at - first;
        int exponent = 0;
        if (at < end && b == '.') {
            int afterPoint = ++at;
            while (end - at >= 8) {
                long word = (long) Digits.LONG.get(bytes, at);
                if (!Digits.areEight(word)) {
                    break;
                }
                mantissa = mantissa * 100_000_000 + Digits.valueOfEight(word);
                at += 8;
            }
            int rest = end - at;
            long last = rest > 0 && rest < 8 && at + 8 <= bytes.length
                    ? Digits.padded((long) Digits.LONG.get(bytes, at), rest)
                    : 0;
            if (Digits.areEight(last)) {
                mantissa = mantissa * Digits.power(rest) + Digits.valueOfEight(last);
                at = end;
            }
            while (at < end && Digits.isDigit(b = bytes[at])) {
                mantissa = mantissa * 10 + b - '0';
                at++;
            }
            exponent = afterPoint - at;
            digits -= exponent;
        }
        if (digits == 0) {
            return named(bytes, begin, at, first, end, negative);
        }
        int behindDigits = at;
        if (at < end) {
            long written = exponent(bytes, begin, at, end);
            exponent += (int) written;
        }
        if (digits > SIGNIFICANT) {
            return parseLong(bytes, begin, first, behindDigits, end, exponent, negative);
        }
        return NearestDouble.nearest(mantissa, exponent, negative);
    }

    /** The exponent that stands from {@code at} to {@code end}, limited to what makes no more difference. */
    private static int exponent(byte[] bytes, int begin, int from, int end) {
        int at = from;
        if ((bytes[at] | 0x20) != 'e') {
            throw TextException.at(bytes, begin, end, at, "a digit, a point or an exponent");
        }
        at++;
        boolean negative = false;
        if (at < end && (bytes[at] == '-' || bytes[at] == '+')) {
            negative = bytes[at] == '-';
            at++;
        }
        if (at == end) {
            throw TextException.at(bytes, begin, end, at, EXPECTED);
        }
        int value = 0;
        for (; at < end; at++) {
            if (!Digits.isDigit(bytes[at])) {
                throw TextException.at(bytes, begin, end, at, EXPECTED);
            }
            // Beyond any length of a text, so that digits cannot make up for it.
            value = value > 100_000_000 ? value : value * 10 + bytes[at] - '0';
        }
        return negative ? -value : value;
    }

    /** More digits than a long holds: takes the first ones, and if the rest could decide, asks the JDK. */
    private static double parseLong(
            byte[] bytes, int begin, int first, int behindDigits, int end, int exponent, boolean negative) {
        int at = first;
        while (at < behindDigits && (bytes[at] == '0' || bytes[at] == '.')) {
            at++;
        }
        long mantissa = 0;
        int taken = 0;
        int dropped = 0;
        for (; at < behindDigits; at++) {
            if (bytes[at] == '.') {
                continue;
            }
            if (taken < SIGNIFICANT) {
                mantissa = mantissa * 10 + bytes[at] - '0';
                taken++;
            } else {
                dropped++;
            }
        }
        double low = NearestDouble.nearest(mantissa, exponent + dropped, negative);
        if (dropped == 0 || low == NearestDouble.nearest(mantissa + 1, exponent + dropped, negative)) {
            return low;
        }
        return Double.parseDouble(new String(bytes, begin, end - begin, StandardCharsets.ISO_8859_1));
    }

    private static double named(byte[] bytes, int begin, int at, int first, int end, boolean negative) {
        if (at == first && equals(NAN, bytes, first, end)) {
            return Double.NaN;
        }
        if (at == first && equals(INFINITY, bytes, first, end)) {
            return negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        throw TextException.at(bytes, begin, end, at, EXPECTED + (at == first ? ", NaN or Infinity" : ""));
    }

    private static boolean equals(byte[] name, byte[] bytes, int begin, int end) {
        if (end - begin != name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            if (bytes[begin + i] != name[i]) {
                return false;
            }
        }
        return true;
    }

    /** Writes a name for what is no number. */
    static int writeName(double value, byte[] to, int at) {
        int position = at;
        if (value == Double.NEGATIVE_INFINITY) {
            to[position++] = '-';
        }
        byte[] name = Double.isNaN(value) ? NAN : INFINITY;
        System.arraycopy(name, 0, to, position, name.length);
        return position + name.length;
    }
}
