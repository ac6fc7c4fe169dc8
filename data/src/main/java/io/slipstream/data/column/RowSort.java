package io.slipstream.data.column;

import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Sorts rows by their values: a radix sort from the lowest byte to the highest, which leaves out bytes that are all
 * the same.
 */
final class RowSort {
    private static final int DIGITS = 256;

    private RowSort() {}

    /**
     * Returns the rows that are present in the order of their keys, and equal ones in the order of the rows.
     *
     * @param values how many rows are present
     * @param present which rows are; null if all are
     * @param key of a row; a negative one comes before all others
     */
    static long[] sort(long values, @Nullable RowSet present, LongUnaryOperator key) {
        int count = Math.toIntExact(values);
        long[] keys = new long[count];
        long[] rows = new long[count];
        int n = 0;
        for (long row = 0; n < count; row++) {
            if (present == null || present.contains(row)) {
                // Flips the sign, so that negative values come first.
                keys[n] = key.applyAsLong(row) ^ Long.MIN_VALUE;
                rows[n++] = row;
            }
        }
        long[] otherKeys = new long[count];
        long[] otherRows = new long[count];
        for (int shift = 0; shift < Long.SIZE; shift += 8) {
            int[] ends = new int[DIGITS];
            for (long value : keys) {
                ends[(int) (value >>> shift) & DIGITS - 1]++;
            }
            if (count == 0 || ends[(int) (keys[0] >>> shift) & DIGITS - 1] == count) {
                continue;
            }
            int at = 0;
            for (int digit = 0; digit < DIGITS; digit++) {
                int size = ends[digit];
                ends[digit] = at;
                at += size;
            }
            for (int i = 0; i < count; i++) {
                int to = ends[(int) (keys[i] >>> shift) & DIGITS - 1]++;
                otherKeys[to] = keys[i];
                otherRows[to] = rows[i];
            }
            long[] sortedKeys = otherKeys;
            otherKeys = keys;
            keys = sortedKeys;
            long[] sortedRows = otherRows;
            otherRows = rows;
            rows = sortedRows;
        }
        return rows;
    }
}
