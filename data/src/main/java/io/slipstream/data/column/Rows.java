package io.slipstream.data.column;

/** Checks of row numbers. */
final class Rows {
    private Rows() {
    }

    static void check(long row, Table table) {
        if (row < 0 || row >= table.rows()) {
            throw new IndexOutOfBoundsException("row " + row + " of " + table.rows());
        }
    }
}
