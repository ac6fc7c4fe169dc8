package io.slipstream.data.text;

/*
 * From double to the shortest decimal that gives it back: Schubfach. See Raffaele Giulietti, "The Schubfach way to
 * render doubles", 2022; names are as there. Of the shortest decimals with at least two digits it is the nearest one,
 * as Double.toString specifies.
 */
final class ShortestDecimal {
    private static final int P = 53;
    private static final int Q_MIN = -1074;
    private static final long C_MIN = 1L << P - 1;
    private static final int C_TINY = 3;
    private static final int EXPONENT_BITS = 0x7FF;
    /** {@code floor(2^64 / 10) + 1}, up to what the product needs. */
    private static final long TENTH = 1_844_674_407_370_955_168L;

    private ShortestDecimal() {}

    static int write(double value, byte[] to, int at) {
        long bits = Double.doubleToRawLongBits(value);
        long t = bits & C_MIN - 1;
        int exponent = (int) (bits >>> P - 1) & EXPONENT_BITS;
        if (exponent == EXPONENT_BITS) {
            return DoubleText.writeName(value, to, at);
        }
        int position = at;
        if (bits < 0) {
            to[position++] = '-';
        }
        if (exponent > 0) {
            int mq = 1 - Q_MIN - exponent;
            long c = C_MIN | t;
            if (mq > 0 && mq < P) {
                long whole = c >> mq;
                if (whole << mq == c) {
                    return DecimalLayout.write(whole, 0, to, position);
                }
            }
            return shortest(-mq, c, 0, to, position);
        }
        if (t == 0) {
            return DecimalLayout.writeZero(to, position);
        }
        return t < C_TINY ? shortest(Q_MIN, 10 * t, -1, to, position) : shortest(Q_MIN, t, 0, to, position);
    }

    private static int shortest(int q, long c, int dk, byte[] to, int at) {
        int out = (int) c & 1;
        long cb = c << 2;
        long cbr = cb + 2;
        long cbl;
        int k;
        if (c != C_MIN || q == Q_MIN) {
            cbl = cb - 2;
            k = (int) (q * 661_971_961_083L >> 41);
        } else {
            cbl = cb - 1;
            k = (int) (q * 661_971_961_083L - 274_743_187_321L >> 41);
        }
        int h = q + (int) (-k * 913_124_641_741L >> 38) + 2;
        int index = 2 * (k - PowersOfTen.LEAST_WRITTEN);
        long g1 = PowersOfTen.WRITE[index];
        long g0 = PowersOfTen.WRITE[index + 1];
        long vb = rop(g1, g0, cb << h);
        long vbl = rop(g1, g0, cbl << h);
        long vbr = rop(g1, g0, cbr << h);
        long s = vb >> 2;
        if (s >= 100) {
            long sp10 = 10 * Math.multiplyHigh(s, TENTH);
            long tp10 = sp10 + 10;
            boolean upin = vbl + out <= sp10 << 2;
            boolean wpin = (tp10 << 2) + out <= vbr;
            if (upin != wpin) {
                return DecimalLayout.write(upin ? sp10 : tp10, k, to, at);
            }
        }
        long t = s + 1;
        boolean uin = vbl + out <= s << 2;
        boolean win = (t << 2) + out <= vbr;
        if (uin != win) {
            return DecimalLayout.write(uin ? s : t, k + dk, to, at);
        }
        long side = vb - (s + t << 1);
        return DecimalLayout.write(side < 0 || side == 0 && (s & 1) == 0 ? s : t, k + dk, to, at);
    }

    /** The product {@code g * cp / 2^127}, rounded to odd. */
    private static long rop(long g1, long g0, long cp) {
        long x1 = Math.multiplyHigh(g0, cp);
        long y0 = g1 * cp;
        long y1 = Math.multiplyHigh(g1, cp);
        long z = (y0 >>> 1) + x1;
        long w = y1 + (z >>> 63);
        return w | (z & Long.MAX_VALUE) + Long.MAX_VALUE >>> 63;
    }
}
