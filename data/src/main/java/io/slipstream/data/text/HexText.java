package io.slipstream.data.text;

import java.util.Objects;

/** Hexadecimal text: written in lower case, read in both. Stateless; any thread may call it. */
public final class HexText {
    /** Bytes of the text of a {@code long}. */
    public static final int LONG_LENGTH = 16;

    private static final byte[] DIGITS = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
    };
    private static final byte[] VALUES = values();
    private static final String EXPECTED = "a hexadecimal digit";

    private HexText() {}

    private static byte[] values() {
        byte[] values = new byte[256];
        for (int i = 0; i < values.length; i++) {
            values[i] = (byte) (i < 0x80 ? Character.digit(i, 16) : -1);
        }
        return values;
    }

    /**
     * Writes all sixteen digits of {@code value}.
     *
     * @return the index behind the last byte written
     * @throws IndexOutOfBoundsException if there is no room
     */
    public static int write(long value, byte[] to, int at) {
        Digits.LONG.set(to, at, eight((int) (value >>> 32)));
        Digits.LONG.set(to, at + 8, eight((int) value));
        return at + LONG_LENGTH;
    }

    /**
     * Spreads the eight nibbles of {@code value} over the bytes of a long, the highest one first, and makes characters
     * of them.
     */
    private static long eight(int value) {
        long x = Integer.reverseBytes(value) & 0xFFFF_FFFFL;
        x = (x | x << 16) & 0x0000_FFFF_0000_FFFFL;
        x = (x | x << 8) & 0x00FF_00FF_00FF_00FFL;
        long nibbles = (x >>> 4 | x << 8) & 0x0F0F_0F0F_0F0F_0F0FL;
        long letters = nibbles + 0x0606_0606_0606_0606L >>> 4 & 0x0101_0101_0101_0101L;
        return nibbles + Digits.ZEROS + letters * ('a' - '9' - 1);
    }

    /**
     * Writes two digits for each byte from {@code begin} to {@code end} of {@code from}.
     *
     * @return the index behind the last byte written
     * @throws IndexOutOfBoundsException if a range is not in its array
     */
    public static int write(byte[] from, int begin, int end, byte[] to, int at) {
        Objects.checkFromToIndex(begin, end, from.length);
        Objects.checkFromIndexSize((long) at, 2L * (end - begin), (long) to.length);
        int position = at;
        for (int i = begin; i < end; i++) {
            to[position++] = DIGITS[from[i] >>> 4 & 15];
            to[position++] = DIGITS[from[i] & 15];
        }
        return position;
    }

    /**
     * Returns the value of one to sixteen digits, without sign or prefix.
     *
     * @throws TextException             if there are none or more, or there is something else
     * @throws IndexOutOfBoundsException if the range is not in the array
     */
    public static long parse(byte[] bytes, int begin, int end) {
        Objects.checkFromToIndex(begin, end, bytes.length);
        if (end - begin > LONG_LENGTH) {
            throw TextException.at(bytes, begin, end, begin + LONG_LENGTH, "the end after 16 digits");
        }
        if (begin == end) {
            throw TextException.at(bytes, begin, end, end, EXPECTED);
        }
        long value = 0;
        for (int i = begin; i < end; i++) {
            value = value << 4 | digit(bytes, begin, end, i);
        }
        return value;
    }

    /**
     * Writes a byte to {@code to} for each two digits from {@code begin} to {@code end}.
     *
     * @return the index behind the last byte written
     * @throws TextException             if the digits are not in pairs, or there is something else
     * @throws IndexOutOfBoundsException if a range is not in its array
     */
    public static int parse(byte[] bytes, int begin, int end, byte[] to, int at) {
        Objects.checkFromToIndex(begin, end, bytes.length);
        if ((end - begin & 1) != 0) {
            throw TextException.at(bytes, begin, end, end, EXPECTED);
        }
        Objects.checkFromIndexSize(at, (end - begin) / 2, to.length);
        int position = at;
        for (int i = begin; i < end; i += 2) {
            to[position++] = (byte) (digit(bytes, begin, end, i) << 4 | digit(bytes, begin, end, i + 1));
        }
        return position;
    }

    private static int digit(byte[] bytes, int begin, int end, int at) {
        int value = VALUES[bytes[at] & 0xff];
        if (value < 0) {
            throw TextException.at(bytes, begin, end, at, EXPECTED);
        }
        return value;
    }
}
