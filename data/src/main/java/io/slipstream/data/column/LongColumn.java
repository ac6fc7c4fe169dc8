package io.slipstream.data.column;

import java.lang.foreign.MemorySegment;
import java.util.NoSuchElementException;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A column of whole numbers of any width, of mantissas of decimals, of times in nanoseconds, of dates in days, of
 * numbers of enum constants or of dictionary codes.
 *
 * <p>Rows without a value take part in nothing. Reading is for any thread; each call is over the rows that there are
 * when it begins.
 */
public final class LongColumn {
    private final Table table;
    private final Width width;
    private final int offset;
    private final @Nullable BitColumn presence;

    /** Returns the column of this number; {@code presence} says which rows have a value, null that all have. */
    public LongColumn(Table table, int column, @Nullable BitColumn presence) {
        this.table = table;
        this.width = table.width(column);
        this.offset = table.offset(column);
        this.presence = presence;
    }

    /** Returns the number of rows. */
    public long rows() {
        return table.rows();
    }

    /**
     * Returns the value of a row; 0 if it has none.
     *
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public long get(long row) {
        Rows.check(row, table);
        int perBlock = table.rowsPerBlock();
        return Loops.get(width, table.block((int) (row / perBlock)).memory(), offset, (int) row & perBlock - 1);
    }

    /** Returns how many rows have a value. */
    public long count() {
        return presence == null ? rows() : presence.count();
    }

    /** Returns the sum of all values; it wraps around as a {@code long} does. A row without a value holds 0. */
    public long sum() {
        long sum = 0;
        long rows = table.rows();
        for (int block = 0; block < table.blocksOf(rows); block++) {
            sum += Loops.sum(width, table.block(block).memory(), offset, table.rowsOf(block, rows));
        }
        return sum;
    }

    /** Returns the sum over the rows of a set. */
    public long sum(RowSet rows) {
        Rows.requireOf(table, rows);
        long[] sum = new long[1];
        rows.forEach(row -> sum[0] += get(row));
        return sum[0];
    }

    /**
     * Returns the least value.
     *
     * @throws NoSuchElementException if no row has a value
     */
    public long min() {
        long min = Long.MAX_VALUE;
        if (presence != null) {
            RowSet present = presence.where();
            requireValues(present.count());
            long[] least = {min};
            present.forEach(row -> least[0] = Math.min(least[0], get(row)));
            return least[0];
        }
        long rows = table.rows();
        requireValues(rows);
        for (int block = 0; block < table.blocksOf(rows); block++) {
            min = Math.min(min, Loops.min(width, table.block(block).memory(), offset, table.rowsOf(block, rows)));
        }
        return min;
    }

    /**
     * Returns the greatest value.
     *
     * @throws NoSuchElementException if no row has a value
     */
    public long max() {
        long max = Long.MIN_VALUE;
        if (presence != null) {
            RowSet present = presence.where();
            requireValues(present.count());
            long[] greatest = {max};
            present.forEach(row -> greatest[0] = Math.max(greatest[0], get(row)));
            return greatest[0];
        }
        long rows = table.rows();
        requireValues(rows);
        for (int block = 0; block < table.blocksOf(rows); block++) {
            max = Math.max(max, Loops.max(width, table.block(block).memory(), offset, table.rowsOf(block, rows)));
        }
        return max;
    }

    /** Returns how many values are from {@code low} to {@code high}, both included. */
    public long countBetween(long low, long high) {
        if (presence != null) {
            return whereBetween(low, high).count();
        }
        long count = 0;
        long rows = table.rows();
        for (int block = 0; block < table.blocksOf(rows); block++) {
            int itsRows = table.rowsOf(block, rows);
            count += Loops.countBetween(width, table.block(block).memory(), offset, itsRows, low, high);
        }
        return count;
    }

    /** Returns how many values {@code predicate} holds for. */
    public long countWhere(LongPredicate predicate) {
        return where(predicate).count();
    }

    /** Returns the rows whose value is from {@code low} to {@code high}, both included. */
    public RowSet whereBetween(long low, long high) {
        return where(value -> value >= low & value <= high);
    }

    /** Returns the rows for whose value {@code predicate} holds. */
    public RowSet where(LongPredicate predicate) {
        RowSet set = new RowSet(table.rows());
        long at = 0;
        for (int block = 0; block < table.blocksOf(set.rows()); block++) {
            MemorySegment memory = table.block(block).memory();
            int rows = table.rowsOf(block, set.rows());
            for (int first = 0; first < rows; first += Long.SIZE) {
                long word = 0;
                int last = Math.min(rows, first + Long.SIZE);
                for (int i = first; i < last; i++) {
                    word |= predicate.test(Loops.get(width, memory, offset, i)) ? 1L << i : 0;
                }
                set.setWord(at++, presence == null ? word : word & presence.word(memory, first >>> 6));
            }
        }
        return set;
    }

    /**
     * Returns the rows that have a value in the order of the values; equal ones in the order of the rows.
     *
     * @throws ArithmeticException if there are more rows than an array holds
     */
    public long[] sortedRows() {
        return presence == null ? RowSort.sort(rows(), this::get) : RowSort.sort(presence.where(), this::get);
    }

    /** Groups the values of this column by those of another of the same list. */
    public LongGroups groupBy(LongColumn keys) {
        keys.requireOf(table);
        try (LongGroups.Builder groups = new LongGroups.Builder()) {
            long rows = rows();
            for (long row = 0; row < rows; row++) {
                if (has(row) && keys.has(row)) {
                    groups.add(keys.get(row), get(row));
                }
            }
            return groups.build();
        }
    }

    void requireOf(Table other) {
        if (other != table) {
            throw new IllegalArgumentException("the two columns are of different lists");
        }
    }

    boolean has(long row) {
        return presence == null || presence.get(row);
    }

    private static void requireValues(long count) {
        if (count == 0) {
            throw new NoSuchElementException("no row has a value");
        }
    }
}
