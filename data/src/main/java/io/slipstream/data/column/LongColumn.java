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
    private final int column;
    private final int offset;
    private final int step;
    private final boolean isAlone;
    private final @Nullable BitColumn presence;
    private final boolean isZeroNone;

    /**
     * Returns the column of this number.
     *
     * @param presence says which rows have a value, null that all have
     * @param isZeroNone whether a row that holds 0 has no value, either, as one with the code of no text
     */
    public LongColumn(Table table, int column, @Nullable BitColumn presence, boolean isZeroNone) {
        this.table = table;
        this.column = column;
        this.width = table.layout().width(column);
        this.offset = table.layout().offset(column);
        this.step = table.layout().step(column);
        this.isAlone = table.layout().isAlone(column);
        this.presence = presence;
        this.isZeroNone = isZeroNone;
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
        return isZeroNone ? present().count() : presence == null ? rows() : presence.count();
    }

    /** Returns the sum of all values; it wraps around as a {@code long} does. A row without a value holds 0. */
    public long sum() {
        long sum = 0;
        long rows = table.rows();
        for (int block = 0; block < table.blocksOf(rows); block++) {
            int some = table.rowsOf(block, rows);
            Block its = table.pinned(block);
            try {
                sum += sum(its, some);
            } finally {
                its.unpin();
            }
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
        if (mayLackValues()) {
            RowSet present = present();
            requireValues(present.count());
            long[] least = {min};
            present.forEach(row -> least[0] = Math.min(least[0], get(row)));
            return least[0];
        }
        long rows = table.rows();
        requireValues(rows);
        for (int block = 0; block < table.blocksOf(rows); block++) {
            int some = table.rowsOf(block, rows);
            Block its = table.pinned(block);
            try {
                min = Math.min(min, min(its, some));
            } finally {
                its.unpin();
            }
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
        if (mayLackValues()) {
            RowSet present = present();
            requireValues(present.count());
            long[] greatest = {max};
            present.forEach(row -> greatest[0] = Math.max(greatest[0], get(row)));
            return greatest[0];
        }
        long rows = table.rows();
        requireValues(rows);
        for (int block = 0; block < table.blocksOf(rows); block++) {
            int some = table.rowsOf(block, rows);
            Block its = table.pinned(block);
            try {
                max = Math.max(max, max(its, some));
            } finally {
                its.unpin();
            }
        }
        return max;
    }

    /** Returns how many values are from {@code low} to {@code high}, both included. */
    public long countBetween(long low, long high) {
        if (mayLackValues()) {
            return whereBetween(low, high).count();
        }
        long count = 0;
        long rows = table.rows();
        for (int block = 0; block < table.blocksOf(rows); block++) {
            int some = table.rowsOf(block, rows);
            Block its = table.pinned(block);
            try {
                count += countBetween(its, some, low, high);
            } finally {
                its.unpin();
            }
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
            int rows = table.rowsOf(block, set.rows());
            Block its = table.pinned(block);
            try {
                for (int first = 0; first < rows; first += Long.SIZE) {
                    long word = 0;
                    int last = Math.min(rows, first + Long.SIZE);
                    for (int i = first; i < last; i++) {
                        long value = at(its, i);
                        word |= !(isZeroNone && value == 0) && predicate.test(value) ? 1L << i : 0;
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
     * Returns the rows that have a value in the order of the values; equal ones in the order of the rows.
     *
     * @throws ArithmeticException if there are more rows than an array holds
     */
    public long[] sortedRows() {
        return mayLackValues() ? RowSort.sort(present(), this::get) : RowSort.sort(rows(), this::get);
    }

    /** Groups the values of this column by those of another of the same list. */
    public LongGroups groupBy(LongColumn keys) {
        keys.requireOf(table);
        try (LongGroups.Builder groups = new LongGroups.Builder()) {
            long rows = rows();
            for (long row = 0; row < rows; row++) {
                long key = keys.get(row);
                long value = get(row);
                if (isValue(row, value) && keys.isValue(row, key)) {
                    groups.add(key, value);
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

    /** Returns whether {@code value}, which the row holds, is one: rows without a value hold 0. */
    boolean isValue(long row, long value) {
        return !(isZeroNone && value == 0) && (presence == null || presence.get(row));
    }

    private long at(Block block, int i) {
        SealedColumns sealed = block.sealed();
        return sealed == null
                ? Loops.get(width, block.memory(), offset + (long) i * step)
                : sealed.frame(column).bits(block.memory(), i);
    }

    private long sum(Block block, int some) {
        MemorySegment memory = block.memory();
        SealedColumns sealed = block.sealed();
        if (sealed != null) {
            return sealed.frame(column).sum(memory, some);
        }
        return isAlone ? Loops.sum(width, memory, offset, some) : StridedLoops.sum(width, memory, offset, step, some);
    }

    private long min(Block block, int some) {
        MemorySegment memory = block.memory();
        SealedColumns sealed = block.sealed();
        if (sealed != null) {
            return sealed.frame(column).min(memory, some);
        }
        return isAlone ? Loops.min(width, memory, offset, some) : StridedLoops.min(width, memory, offset, step, some);
    }

    private long max(Block block, int some) {
        MemorySegment memory = block.memory();
        SealedColumns sealed = block.sealed();
        if (sealed != null) {
            return sealed.frame(column).max(memory, some);
        }
        return isAlone ? Loops.max(width, memory, offset, some) : StridedLoops.max(width, memory, offset, step, some);
    }

    private long countBetween(Block block, int some, long low, long high) {
        MemorySegment memory = block.memory();
        SealedColumns sealed = block.sealed();
        if (sealed != null) {
            return sealed.frame(column).countBetween(memory, some, low, high);
        }
        return isAlone
                ? Loops.countBetween(width, memory, offset, some, low, high)
                : StridedLoops.countBetween(width, memory, offset, step, some, low, high);
    }

    private boolean mayLackValues() {
        return isZeroNone || presence != null;
    }

    private RowSet present() {
        return presence == null || isZeroNone ? where(_ -> true) : presence.where();
    }

    private static void requireValues(long count) {
        if (count == 0) {
            throw new NoSuchElementException("no row has a value");
        }
    }
}
