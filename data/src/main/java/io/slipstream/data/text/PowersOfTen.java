package io.slipstream.data.text;

import java.math.BigInteger;

/**
 * 128 and 126 bits of the powers of ten that a {@code double} can need, computed once when the class is loaded: in
 * about 30 ms, and 20 KB.
 */
final class PowersOfTen {
    /** The least exponent whose power may be needed to read a number. */
    static final int LEAST = -342;
    /** The greatest exponent whose power may be needed to read a number. */
    static final int GREATEST = 308;
    /** The least exponent whose power may be needed to write a number. */
    static final int LEAST_WRITTEN = -324;

    private static final int GREATEST_WRITTEN = 292;

    /**
     * High and low half of the mantissa of {@code 5^(LEAST + i)}, as Lemire's paper has it: cut off, or its reciprocal
     * rounded up.
     */
    static final long[] READ = new long[2 * (GREATEST - LEAST + 1)];
    /**
     * High 63 and low 63 bits of {@code g(LEAST_WRITTEN + i)} of Giulietti's paper: {@code floor(10^-k * 2^-r) + 1}.
     */
    static final long[] WRITE = new long[2 * (GREATEST_WRITTEN - LEAST_WRITTEN + 1)];

    static {
        BigInteger five = BigInteger.valueOf(5);
        BigInteger power = BigInteger.ONE;
        for (int e = 0; e <= -LEAST; e++) {
            if (e <= GREATEST) {
                putRead(e, shifted(power, 128 - power.bitLength()));
            }
            if (e > 0) {
                putRead(-e, reciprocal(power, e));
            }
            if (e <= -LEAST_WRITTEN) {
                // 10^e = 5^e * 2^e, and of that the upper 126 bits.
                putWrite(-e, shifted(power, 126 - power.bitLength()).add(BigInteger.ONE));
            }
            if (e > 0 && e <= GREATEST_WRITTEN) {
                int bits = 125 + power.bitLength();
                BigInteger quotient = BigInteger.ONE.shiftLeft(bits + 1).divide(power);
                putWrite(e, quotient.shiftRight(quotient.bitLength() - 126).add(BigInteger.ONE));
            }
            power = power.multiply(five);
        }
    }

    private PowersOfTen() {}

    private static BigInteger shifted(BigInteger value, int bits) {
        return bits >= 0 ? value.shiftLeft(bits) : value.shiftRight(-bits);
    }

    private static BigInteger reciprocal(BigInteger power, int e) {
        int bits = power.bitLength();
        BigInteger quotient = BigInteger.ONE
                .shiftLeft(e <= 27 ? bits + 127 : 2 * bits + 128)
                .divide(power)
                .add(BigInteger.ONE);
        return quotient.bitLength() > 128 ? quotient.shiftRight(quotient.bitLength() - 128) : quotient;
    }

    private static void putRead(int exponent, BigInteger mantissa) {
        int index = 2 * (exponent - LEAST);
        READ[index] = mantissa.shiftRight(64).longValue();
        READ[index + 1] = mantissa.longValue();
    }

    private static void putWrite(int k, BigInteger g) {
        int index = 2 * (k - LEAST_WRITTEN);
        WRITE[index] = g.shiftRight(63).longValueExact();
        WRITE[index + 1] = g.longValue() & Long.MAX_VALUE;
    }
}
