package io.slipstream.data.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/*
 * Decimal digits eight at a time: a long holds eight characters, the first one in its lowest byte, and arithmetic works
 * on all of them at once. See "SIMD within a register", Lamport 1975, and Lemire, "Quickly parsing eight digits", 2018.
 */
final class Digits {
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    static final long ZEROS = 0x3030_3030_3030_3030L;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final long HIGH_NIBBLES = 0xF0F0_F0F0_F0F0_F0F0L;
    private static final int HUNDRED_MILLION = 100_000_000;
    private static final long[] POWERS = powers();
    private static final short[] PAIRS = pairs();

    private Digits() {}

    private static long[] powers() {
        long[] powers = new long[19];
        powers[0] = 1;
        for (int i = 1; i < powers.length; i++) {
            powers[i] = 10 * powers[i - 1];
        }
        return powers;
    }

    private static short[] pairs() {
        short[] pairs = new short[100];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = (short) ('0' + i / 10 | '0' + i % 10 << 8);
        }
        return pairs;
    }

    /** Returns 10 to the power of {@code exponent}, from 0 to 18. */
    static long power(int exponent) {
        return POWERS[exponent];
    }

    /** Returns how many digits {@code value} has, which is not negative. */
    static int count(long value) {
        // Zero has one digit, too.
        long positive = value | 1;
        int guess = (64 - Long.numberOfLeadingZeros(positive)) * 1233 >>> 12;
        // Without a branch, as no two numbers need have as many digits: the sign of the difference is the answer.
        return guess + 1 - (int) (positive - POWERS[guess] >>> 63);
    }

    /**
     * Writes {@code value}, which is not negative and has at most {@code digits} digits, with zeros in front.
     *
     * <p>Few branches, as the number of digits cannot be foreseen: words that overlap, the last one behind the first.
     */
    static void write(long value, int digits, byte[] to, int at) {
        if (digits <= 8) {
            writeFew(eight((int) value), digits, to, at);
            return;
        }
        long high = value / HUNDRED_MILLION;
        long last = eight((int) (value - high * HUNDRED_MILLION));
        if (digits <= 16) {
            LONG.set(to, at, eight((int) high) >>> 8 * (16 - digits));
        } else {
            long top = high / HUNDRED_MILLION;
            LONG.set(to, at, eight((int) top) >>> 8 * (24 - digits));
            LONG.set(to, at + digits - 16, eight((int) (high - top * HUNDRED_MILLION)));
        }
        LONG.set(to, at + digits - 8, last);
    }

    /** Writes the last {@code digits}, at most eight, of eight characters. */
    private static void writeFew(long word, int digits, byte[] to, int at) {
        long first = word >>> 8 * (8 - digits);
        if (digits >= 4) {
            INT.set(to, at, (int) first);
            INT.set(to, at + digits - 4, (int) (word >>> 32));
        } else if (digits >= 2) {
            SHORT.set(to, at, (short) first);
            SHORT.set(to, at + digits - 2, (short) (word >>> 48));
        } else if (digits == 1) {
            to[at] = (byte) first;
        }
    }

    /** Writes two digits. */
    static void writePair(int value, byte[] to, int at) {
        SHORT.set(to, at, PAIRS[value]);
    }

    /** Returns the eight digits of a value below 10^8 as characters. */
    private static long eight(int value) {
        int high = value / 10_000;
        long fours = high | (long) (value - high * 10_000) << 32;
        long hundreds = fours * 10_486 >>> 20 & 0x0000_007F_0000_007FL;
        long twos = hundreds | fours - hundreds * 100 << 16;
        long tens = twos * 103 >>> 10 & 0x000F_000F_000F_000FL;
        return (tens | twos - tens * 10 << 8) + ZEROS;
    }

    /** Whether all eight characters are digits. */
    static boolean areEight(long word) {
        return (word & HIGH_NIBBLES) == ZEROS && (word + 0x0606_0606_0606_0606L & HIGH_NIBBLES) == ZEROS;
    }

    /** Returns how many of the eight characters are digits before the first that is none. */
    static int leading(long word) {
        long values = word ^ ZEROS;
        // Above 9, adding sets the highest bit; a carry reaches only what lies behind the first of these.
        long others = (values + 0x7676_7676_7676_7676L | values) & 0x8080_8080_8080_8080L;
        return Long.numberOfTrailingZeros(others) >>> 3;
    }

    /** Returns the value of eight digits. */
    static int valueOfEight(long word) {
        long pairs = word - ZEROS;
        pairs = pairs * 10 + (pairs >>> 8);
        return (int) ((pairs & 0x0000_00FF_0000_00FFL) * 0x000F_4240_0000_0064L
                        + (pairs >>> 16 & 0x0000_00FF_0000_00FFL) * 0x0000_2710_0000_0001L
                >>> 32);
    }

    /** Returns the first {@code count} characters of {@code word}, 1 to 7, moved to its end, with zeros in front. */
    static long padded(long word, int count) {
        int shift = 64 - 8 * count;
        return word << shift | ZEROS >>> 8 * count;
    }

    /** Whether {@code b} is a digit. */
    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
