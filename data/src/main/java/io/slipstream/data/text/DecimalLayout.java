package io.slipstream.data.text;

/** Where the point and the exponent of {@link Double#toString(double)} stand. */
final class DecimalLayout {
    private static final int PLAIN_BELOW = 7;
    private static final int PLAIN_ABOVE = -3;

    private DecimalLayout() {}

    static int writeZero(byte[] to, int at) {
        to[at] = '0';
        to[at + 1] = '.';
        to[at + 2] = '0';
        return at + 3;
    }

    /** Writes {@code f * 10^e}; {@code f} is positive and has at most 17 digits. */
    static int write(long f, int e, byte[] to, int at) {
        int digits = Digits.count(f);
        long significant = f;
        int left = digits;
        if (significant % 10 == 0) {
            // Zeros at the end carry nothing; where there is one, there are often many.
            while (left > 8 && significant % 100_000_000 == 0) {
                significant /= 100_000_000;
                left -= 8;
            }
            while (significant % 10 == 0) {
                significant /= 10;
                left--;
            }
        }
        // 0.d1d2d3... * 10^point
        int point = digits + e;
        if (point > 0 && point <= PLAIN_BELOW) {
            return writePlain(significant, left, point, to, at);
        }
        if (point > PLAIN_ABOVE && point <= 0) {
            to[at] = '0';
            to[at + 1] = '.';
            int position = at + 2;
            for (int i = point; i < 0; i++) {
                to[position++] = '0';
            }
            Digits.write(significant, left, to, position);
            return position + left;
        }
        return writeExponent(point - 1, to, writePlain(significant, left, 1, to, at));
    }

    /** Writes digits with {@code point} of them before the point. */
    private static int writePlain(long significant, int digits, int point, byte[] to, int at) {
        int position = at;
        int behind = digits - point;
        if (behind <= 0) {
            Digits.write(significant, digits, to, position);
            position += digits;
            for (int i = behind; i < 0; i++) {
                to[position++] = '0';
            }
            to[position] = '.';
            to[position + 1] = '0';
            return position + 2;
        }
        long power = Digits.power(behind);
        long whole = significant / power;
        Digits.write(whole, point, to, position);
        position += point;
        to[position++] = '.';
        Digits.write(significant - whole * power, behind, to, position);
        return position + behind;
    }

    private static int writeExponent(int exponent, byte[] to, int at) {
        to[at] = 'E';
        return LongText.write(exponent, to, at + 1);
    }
}
