package io.slipstream.data.column;

import java.util.Arrays;

/** Count, sum, least and greatest value of each group; NaN if the group has a NaN. Immutable. */
public final class DoubleGroups {
    private static final int FIELDS = 4;

    private final long[] keys;
    private final double[] figures;

    private DoubleGroups(long[] keys, double[] figures) {
        this.keys = keys;
        this.figures = figures;
    }

    /** Returns the number of groups. */
    public int size() {
        return keys.length;
    }

    /** Returns the keys of the groups, in ascending order. */
    public long[] keys() {
        return keys.clone();
    }

    /** Returns how many values the group of {@code key} has; 0 if there is none. */
    public long count(long key) {
        return (long) figure(key, 0, 0);
    }

    /** Returns the sum of the values of the group of {@code key}; 0 if there is none. */
    public double sum(long key) {
        return figure(key, 1, 0);
    }

    /** Returns the least value of the group of {@code key}; positive infinity if there is none. */
    public double min(long key) {
        return figure(key, 2, Double.POSITIVE_INFINITY);
    }

    /** Returns the greatest value of the group of {@code key}; negative infinity if there is none. */
    public double max(long key) {
        return figure(key, 3, Double.NEGATIVE_INFINITY);
    }

    private double figure(long key, int field, double none) {
        int group = Arrays.binarySearch(keys, key);
        return group < 0 ? none : figures[group * FIELDS + field];
    }

    /** Gathers groups. */
    static final class Builder implements AutoCloseable {
        private final GroupKeys groups = new GroupKeys();
        private double[] figures = new double[16 * FIELDS];

        void add(long key, double value) {
            int before = groups.size();
            int group = groups.numberOf(key);
            int at = group * FIELDS;
            if (group == before) {
                begin(at);
            }
            figures[at]++;
            figures[at + 1] += value;
            figures[at + 2] = Math.min(figures[at + 2], value);
            figures[at + 3] = Math.max(figures[at + 3], value);
        }

        private void begin(int at) {
            if (at == figures.length) {
                figures = Arrays.copyOf(figures, figures.length << 1);
            }
            figures[at + 2] = Double.POSITIVE_INFINITY;
            figures[at + 3] = Double.NEGATIVE_INFINITY;
        }

        DoubleGroups build() {
            long[] sorted = groups.sorted();
            double[] inOrder = new double[sorted.length * FIELDS];
            for (int i = 0; i < sorted.length; i++) {
                System.arraycopy(figures, groups.numberOf(sorted[i]) * FIELDS, inOrder, i * FIELDS, FIELDS);
            }
            return new DoubleGroups(sorted, inOrder);
        }

        @Override
        public void close() {
            groups.close();
        }
    }
}
