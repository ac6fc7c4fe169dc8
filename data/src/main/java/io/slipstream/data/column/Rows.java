package io.slipstream.data.column;

/** Checks of row numbers. */
final class Rows {
    private Rows() {}

    static void check(long row, Table table) {
        if (row < 0 || row >= table.rows()) {
            throw new IndexOutOfBoundsException("row " + row + " of " + table.rows());
        }
    }

    /** Refuses a set with rows that the table does not have. */
    static void requireOf(Table table, RowSet rows) {
        if (rows.rows() > table.rows()) {
            throw new IllegalArgumentException("the set is of " + rows.rows() + " rows, the list has " + table.rows());
        }
    }
}
