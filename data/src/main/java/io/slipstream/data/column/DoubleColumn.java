package io.slipstream.data.column;

import java.lang.foreign.MemorySegment;
import java.util.NoSuchElementException;
import java.util.function.DoublePredicate;
import org.jspecify.annotations.Nullable;

/**
 * A column of {@code float} or {@code double}. Rows without a value take part in nothing. Reading is for any thread;
 * each call is over the rows that there are when it begins.
 */
public final class DoubleColumn {
    private final Table table;
    private final int column;
    private final boolean isFloat;
    private final int offset;
    private final int step;
    private final @Nullable BitColumn presence;

    /** Returns the column of this number; {@code presence} says which rows have a value, null that all have. */
    public DoubleColumn(Table table, int column, @Nullable BitColumn presence) {
        this.table = table;
        this.column = column;
        this.isFloat = table.layout().width(column) == Width.FLOAT;
        this.offset = table.layout().offset(column);
        this.step = table.layout().step(column);
        this.presence = presence;
    }

    /** Returns the number of rows. */
    public long rows() {
        return table.rows();
    }

    /** Returns the value of a row; 0 if it has none. */
    public double get(long row) {
        Rows.check(row, table);
        int perBlock = table.rowsPerBlock();
        int number = (int) (row / perBlock);
        Block block = table.block(number);
        while (true) {
            try {
                return at(block, (int) row & perBlock - 1);
            } catch (IllegalStateException e) {
                block = table.successor(number, block, e);
            }
        }
    }

    /** Returns how many rows have a value. */
    public long count() {
        return presence == null ? rows() : presence.count();
    }

    /** Returns the sum of all values, added in the order of the rows. A row without a value holds 0. */
    public double sum() {
        double sum = 0;
        long all = table.rows();
        for (int block = 0; block < table.blocksOf(all); block++) {
            int rows = table.rowsOf(block, all);
            Block its = table.pinned(block);
            try {
                for (int i = 0; i < rows; i++) {
                    sum += at(its, i);
                }
            } finally {
                its.unpin();
            }
        }
        return sum;
    }

    /** Returns the sum over the rows of a set, added in their order. */
    public double sum(RowSet rows) {
        Rows.requireOf(table, rows);
        double[] sum = new double[1];
        rows.forEach(row -> sum[0] += get(row));
        return sum[0];
    }

    /**
     * Returns the least value; NaN if there is a NaN.
     *
     * @throws NoSuchElementException if no row has a value
     */
    public double min() {
        return extreme(Double.POSITIVE_INFINITY, false);
    }

    /**
     * Returns the greatest value; NaN if there is a NaN.
     *
     * @throws NoSuchElementException if no row has a value
     */
    public double max() {
        return extreme(Double.NEGATIVE_INFINITY, true);
    }

    /** Returns how many values are from {@code low} to {@code high}, both included. */
    public long countBetween(double low, double high) {
        return whereBetween(low, high).count();
    }

    /** Returns how many values {@code predicate} holds for. */
    public long countWhere(DoublePredicate predicate) {
        return where(predicate).count();
    }

    /** Returns the rows whose value is from {@code low} to {@code high}, both included. */
    public RowSet whereBetween(double low, double high) {
        return where(value -> value >= low & value <= high);
    }

    /** Returns the rows for whose value {@code predicate} holds. */
    public RowSet where(DoublePredicate predicate) {
        RowSet set = new RowSet(table.rows());
        long at = 0;
        for (int block = 0; block < table.blocksOf(set.rows()); block++) {
            int rows = table.rowsOf(block, set.rows());
            Block its = table.pinned(block);
            try {
                for (int first = 0; first < rows; first += Long.SIZE) {
                    long word = 0;
                    int last = Math.min(rows, first + Long.SIZE);
                    for (int i = first; i < last; i++) {
                        word |= predicate.test(at(its, i)) ? 1L << i : 0;
                    }
                    set.setWord(at++, presence == null ? word : word & presence.word(its, first >>> 6));
                }
            } finally {
                its.unpin();
            }
        }
        return set;
    }

    /**
     * Returns the rows that have a value in the order of {@link Double#compare}; equal ones in the order of the rows.
     *
     * @throws ArithmeticException if there are more rows than an array holds
     */
    public long[] sortedRows() {
        return presence == null ? RowSort.sort(rows(), this::key) : RowSort.sort(presence.where(), this::key);
    }

    private long key(long row) {
        long bits = Double.doubleToLongBits(get(row));
        // The bits of negative values grow as the values fall.
        return bits ^ bits >> 63 & Long.MAX_VALUE;
    }

    /** Groups the values of this column by those of another of the same list. */
    public DoubleGroups groupBy(LongColumn keys) {
        keys.requireOf(table);
        try (DoubleGroups.Builder groups = new DoubleGroups.Builder()) {
            long rows = rows();
            for (long row = 0; row < rows; row++) {
                long key = keys.get(row);
                if ((presence == null || presence.get(row)) && keys.isValue(row, key)) {
                    groups.add(key, get(row));
                }
            }
            return groups.build();
        }
    }

    private double extreme(double start, boolean isGreatest) {
        double found = start;
        boolean isEmpty = true;
        long all = table.rows();
        for (int block = 0; block < table.blocksOf(all); block++) {
            int rows = table.rowsOf(block, all);
            long first = (long) block * table.rowsPerBlock();
            Block its = table.pinned(block);
            try {
                for (int i = 0; i < rows; i++) {
                    if (presence == null || presence.get(first + i)) {
                        double value = at(its, i);
                        found = isGreatest ? Math.max(found, value) : Math.min(found, value);
                        isEmpty = false;
                    }
                }
            } finally {
                its.unpin();
            }
        }
        if (isEmpty) {
            throw new NoSuchElementException("no row has a value");
        }
        return found;
    }

    private double at(Block block, int i) {
        MemorySegment memory = block.memory();
        SealedColumns sealed = block.sealed();
        if (sealed != null) {
            return sealed.frame(column).value(memory, i);
        }
        long at = offset + (long) i * step;
        return isFloat ? memory.get(Layouts.FLOAT, at) : memory.get(Layouts.DOUBLE, at);
    }
}
