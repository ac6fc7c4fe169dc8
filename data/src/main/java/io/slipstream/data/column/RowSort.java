package io.slipstream.data.column;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * Sorts rows by their values: a radix sort from the lowest byte to the highest, which leaves out bytes that are all
 * the same.
 */
final class RowSort {
    private static final int DIGITS = 256;

    private RowSort() {}

    /** Returns the first {@code count} rows in the order of their keys; a negative key comes before all others. */
    static long[] sort(long count, LongUnaryOperator key) {
        long[] rows = new long[Math.toIntExact(count)];
        Arrays.setAll(rows, row -> row);
        return sort(rows, key);
    }

    /** Returns the rows of a set in the order of their keys; a negative key comes before all others. */
    static long[] sort(RowSet set, LongUnaryOperator key) {
        long[] rows = new long[Math.toIntExact(set.count())];
        int[] n = new int[1];
        set.forEach(row -> rows[n[0]++] = row);
        return sort(rows, key);
    }

    /** Sorts ascending rows by their keys, and equal ones by their numbers. */
    private static long[] sort(long[] ascending, LongUnaryOperator key) {
        int count = ascending.length;
        long[] rows = ascending;
        // Flips the sign, so that negative values come first.
        long[] keys = new long[count];
        Arrays.setAll(keys, i -> key.applyAsLong(ascending[i]) ^ Long.MIN_VALUE);
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
