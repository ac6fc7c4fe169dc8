package io.slipstream.data.text;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Whole numbers as text: an optional sign and decimal digits. Stateless; any thread may call it. */
public final class LongText {
    /** Bytes of the longest text that is written. */
    public static final int MAX_LENGTH = 20;

    private static final byte[] LEAST = Long.toString(Long.MIN_VALUE).getBytes(StandardCharsets.ISO_8859_1);
    private static final String EXPECTED = "a digit";
    private static final String IN_RANGE = "a whole number from -2^63 to 2^63-1";
    private static final int SAFE_DIGITS = 18;

    private LongText() {}

    /**
     * Writes {@code value} as {@link Long#toString(long)} does.
     *
     * @return the index behind the last byte written
     * @throws IndexOutOfBoundsException if there is no room; some of the bytes may be written then
     */
    public static int write(long value, byte[] to, int at) {
        if (value == Long.MIN_VALUE) {
            System.arraycopy(LEAST, 0, to, at, LEAST.length);
            return at + LEAST.length;
        }
        // The first digit of a number that is not negative takes its place again.
        to[at] = '-';
        int first = at - (int) (value >> 63);
        long positive = Math.abs(value);
        int digits = Digits.count(positive);
        Digits.write(positive, digits, to, first);
        return first + digits;
    }

    /**
     * Returns the whole number from {@code begin} to {@code end}. Leading zeros and a plus sign are allowed, nothing
     * else is.
     *
     * @throws TextException             if it is not a whole number, or is not in the range of a {@code long}
     * @throws IndexOutOfBoundsException if the range is not in the array
     */
    public static long parse(byte[] bytes, int begin, int end) {
        Objects.checkFromToIndex(begin, end, bytes.length);
        int at = begin;
        boolean negative = false;
        if (at < end && (bytes[at] == '-' || bytes[at] == '+')) {
            negative = bytes[at] == '-';
            at++;
        }
        int digits = end - at;
        if (digits == 0 || digits > SAFE_DIGITS) {
            return parseLong(bytes, begin, at, end, negative);
        }
        long value = 0;
        for (; end - at >= 8; at += 8) {
            long word = (long) Digits.LONG.get(bytes, at);
            if (!Digits.areEight(word)) {
                throw notANumber(bytes, begin, at, end);
            }
            value = value * 100_000_000 + Digits.valueOfEight(word);
        }
        if (at < end) {
            value = value * Digits.power(end - at) + tail(bytes, begin, at, end);
        }
        return negative ? -value : value;
    }

    /** The value of the last 1 to 7 digits. */
    private static int tail(byte[] bytes, int begin, int at, int end) {
        if (at + 8 <= bytes.length) {
            long word = Digits.padded((long) Digits.LONG.get(bytes, at), end - at);
            if (!Digits.areEight(word)) {
                throw notANumber(bytes, begin, at, end);
            }
            return Digits.valueOfEight(word);
        }
        int value = 0;
        for (int i = at; i < end; i++) {
            if (!Digits.isDigit(bytes[i])) {
                throw notANumber(bytes, begin, i, end);
            }
            value = value * 10 + bytes[i] - '0';
        }
        return value;
    }

    /**
     * Any length, with a check for overflow at each digit; counts downwards, because there is one more negative number.
     */
    private static long parseLong(byte[] bytes, int begin, int from, int end, boolean negative) {
        long value = 0;
        for (int i = from; i < end; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                throw TextException.at(bytes, begin, end, i, EXPECTED);
            }
            if (value < Long.MIN_VALUE / 10 || value * 10 < Long.MIN_VALUE + digit) {
                throw TextException.at(bytes, begin, end, begin, IN_RANGE);
            }
            value = value * 10 - digit;
        }
        if (from == end) {
            throw TextException.at(bytes, begin, end, end, EXPECTED);
        }
        if (!negative && value == Long.MIN_VALUE) {
            throw TextException.at(bytes, begin, end, begin, IN_RANGE);
        }
        return negative ? value : -value;
    }

    private static TextException notANumber(byte[] bytes, int begin, int from, int end) {
        int at = from;
        while (at < end && Digits.isDigit(bytes[at])) {
            at++;
        }
        return TextException.at(bytes, begin, end, at, EXPECTED);
    }
}
