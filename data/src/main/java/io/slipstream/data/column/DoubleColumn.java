package io.slipstream.data.column;

import java.lang.foreign.MemorySegment;
import java.util.NoSuchElementException;
import java.util.function.DoublePredicate;
import org.jspecify.annotations.Nullable;

/**
 * A column of {@code float} or {@code double}. Rows without a value take part in nothing. Reading is for any thread.
 */
public final class DoubleColumn {
    private final Table table;
    private final boolean isFloat;
    private final int offset;
    private final @Nullable BitColumn presence;

    /** Returns the column of this number; {@code presence} says which rows have a value, null that all have. */
    public DoubleColumn(Table table, int column, @Nullable BitColumn presence) {
        this.table = table;
        this.isFloat = table.width(column) == Width.FLOAT;
        this.offset = table.offset(column);
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
        return at(table.block((int) (row / perBlock)).memory(), (int) row & perBlock - 1);
    }

    /** Returns how many rows have a value. */
    public long count() {
        return presence == null ? rows() : presence.count();
    }

    /** Returns the sum of all values, added in the order of the rows. A row without a value holds 0. */
    public double sum() {
        double sum = 0;
        for (int block = 0; block < table.blockCount(); block++) {
            MemorySegment memory = table.block(block).memory();
            int rows = table.rowsOf(block);
            for (int i = 0; i < rows; i++) {
                sum += at(memory, i);
            }
        }
        return sum;
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

    /** Returns the rows for whose value {@code predicate} holds. */
    public RowSet where(DoublePredicate predicate) {
        RowSet set = new RowSet(table.rows());
        for (long row = 0; row < set.rows(); row++) {
            if ((presence == null || presence.get(row)) && predicate.test(get(row))) {
                set.add(row);
            }
        }
        return set;
    }

    private double extreme(double start, boolean isGreatest) {
        if (count() == 0) {
            throw new NoSuchElementException("no row has a value");
        }
        double found = start;
        long rows = rows();
        for (long row = 0; row < rows; row++) {
            if (presence == null || presence.get(row)) {
                found = isGreatest ? Math.max(found, get(row)) : Math.min(found, get(row));
            }
        }
        return found;
    }

    private double at(MemorySegment memory, int i) {
        return isFloat ? memory.get(Layouts.FLOAT, offset + ((long) i << 2))
                : memory.get(Layouts.DOUBLE, offset + ((long) i << 3));
    }
}
