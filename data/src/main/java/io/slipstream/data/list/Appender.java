package io.slipstream.data.list;

import io.slipstream.data.column.Table;
import java.util.function.Consumer;

/**
 * Adds rows at the end of a list: an element is filled first and its row published then, or it was never there. For the
 * owner of the list alone, so it keeps the table in a plain field; another appender takes its place when the list goes
 * on with another table.
 */
final class Appender<T> {
    private final Cursor<T> cursor;
    private final Table table;
    private final String owner;
    private boolean isFilling;

    /** Before this row, there may be values of rows that were truncated behind the last one. */
    private long endOfTruncated;

    Appender(Cursor<T> cursor, String owner) {
        this.cursor = cursor;
        this.table = cursor.table();
        this.owner = owner;
    }

    /** Begins a row that is published later, and returns its element. */
    T append() {
        begin();
        table.beginRow();
        return cursor.element();
    }

    /** Adds a row that {@code fill} fills in by the element. */
    long append(Consumer<? super T> fill) {
        long row = beginFilling();
        try {
            fill.accept(cursor.element());
        } catch (Throwable e) {
            discard();
            throw e;
        }
        return endFilling(row);
    }

    long add(T element) {
        long row = beginFilling();
        try {
            cursor.write(element);
        } catch (Throwable e) {
            discard();
            throw e;
        }
        return endFilling(row);
    }

    /** Adds a row whose columns {@code fill} writes. */
    void addRow(Consumer<Cursor<?>> fill) {
        long row = beginFilling();
        try {
            fill.accept(cursor);
        } catch (Throwable e) {
            discard();
            throw e;
        }
        endFilling(row);
    }

    /** Publishes the row that was begun, if there is one. */
    void publish() {
        if (isFilling) {
            throw new IllegalStateException(
                    owner + ": an element is being filled in; let that end before another call");
        }
        table.publishBegun();
    }

    /** Publishes what was appended before, and goes to the row after the last. */
    private long begin() {
        publish();
        table.reserve();
        long row = table.publishedRows();
        cursor.go(row);
        if (row < endOfTruncated) {
            cursor.clear();
        }
        return row;
    }

    private long beginFilling() {
        long row = begin();
        isFilling = true;
        return row;
    }

    private long endFilling(long row) {
        isFilling = false;
        table.publishRow();
        return row;
    }

    /** Takes the row after the last back: the element on it was never there. */
    private void discard() {
        isFilling = false;
        cursor.clear();
        cursor.leave();
        table.discardBegun();
    }

    /** After a setter threw. */
    void refused(Cursor<?> by) {
        if (by == cursor && table.isBegun(cursor.row())) {
            discard();
        }
    }

    /** Takes the rows from {@code size} on away. */
    void truncate(long size) {
        long former = table.publishedRows();
        cursor.leave();
        table.truncate(size);
        endOfTruncated = Math.min(Math.max(endOfTruncated, former), (long) table.blockCount() * table.rowsPerBlock());
    }

    /** Clears the rows of the last block that were added before a crash and not committed. */
    void clearAfterLast() {
        long end = (long) table.blockCount() * table.rowsPerBlock();
        for (long row = table.rows(); row < end; row++) {
            cursor.go(row);
            cursor.clear();
        }
    }

    /** Gives all rows the value of a field that they do not have yet. */
    void fill(int field, Object value) {
        long end = table.rows();
        for (long row = 0; row < end; row++) {
            cursor.go(row);
            cursor.writeValue(field, value);
        }
    }
}
