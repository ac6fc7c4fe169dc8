package io.slipstream.data.list;

import io.slipstream.data.CommitLevel;
import io.slipstream.data.column.LongColumn;
import io.slipstream.data.column.Table;
import io.slipstream.data.index.LongLongIndex;
import io.slipstream.data.schema.Type;
import java.io.IOException;

/**
 * Finds the rows of a table by the identity of their elements. For the owner of the list; others may call {@link
 * #rowOf}.
 */
final class Identities implements AutoCloseable {
    static final long NO_ROW = -1;

    private final String owner;
    private final Column column;
    private final Dictionary texts;
    private final Table table;
    private final LongLongIndex rows;
    private final LongColumn published;

    /** Of the owner: unlike a column, it reads the row after the last, too. */
    private final Cursor<?> keys;

    Identities(String owner, Column column, Dictionary texts, Cursor<?> keys, LongLongIndex rows) {
        this.owner = owner;
        this.column = column;
        this.texts = texts;
        this.keys = keys;
        this.table = keys.table();
        this.rows = rows;
        this.published = column.longs(owner, table);
    }

    /** Returns the row with this identity, a text by its code, or {@link #NO_ROW}. */
    long rowOf(long key) {
        long row = rows.get(key);
        return row != NO_ROW && row < table.rows() && published.get(row) == key ? row : NO_ROW;
    }

    /** Returns the row with this text as its identity, or {@link #NO_ROW}. */
    long rowOf(String key) {
        if (!(column.type() instanceof Type.Text)) {
            throw new IllegalArgumentException(
                    owner + "." + column.name() + " is no text; find an element by its number");
        }
        int code = texts.code(key);
        return code == 0 ? NO_ROW : rowOf(code);
    }

    /** Sets {@code to} to the rows with these identities, or to {@link #NO_ROW}. */
    void rowsOf(long[] of, long[] to) {
        rows.getAll(of, to);
        long size = table.rows();
        for (int i = 0; i < of.length; i++) {
            long row = to[i];
            if (row != NO_ROW && (row >= size || published.get(row) != of[i])) {
                to[i] = NO_ROW;
            }
        }
    }

    /** Gives a row its identity. */
    void claim(long key, long row) {
        long size = table.publishedRows();
        long there = rows.get(key);
        if (there != NO_ROW && there < size && keyOf(there) == key) {
            if (there == row) {
                return;
            }
            throw new IllegalArgumentException(
                    owner + ": row " + there + " has the identity " + describe(key) + " already");
        }
        if (row < size) {
            long former = keyOf(row);
            if (rows.get(former) == row) {
                throw new IllegalArgumentException(owner + ": row " + row + " has the identity " + describe(former)
                        + "; an identity does not change");
            }
        }
        rows.put(key, row);
    }

    private String describe(long key) {
        return column.type() instanceof Type.Text ? "'" + texts.text((int) key) + "'" : Long.toString(key);
    }

    private long keyOf(long row) {
        return keys.keyOf(row, column);
    }

    /** Copies the identity of a row for the row that it becomes. */
    void copy(long row, LongLongIndex to, long toRow) {
        long key = keyOf(row);
        // A row whose identity was never set has none.
        if (rows.get(key) == row) {
            to.put(key, toRow);
        }
    }

    /** Forgets the identities of the rows from {@code from} to before {@code to}, which are taken away. */
    void forget(long from, long to) {
        for (long row = from; row < to; row++) {
            long key = keyOf(row);
            if (rows.get(key) == row) {
                rows.remove(key);
            }
        }
        keys.leave();
    }

    /** Reads the identities of all rows, for an index of this process's own. */
    void readAll() {
        long end = table.rows();
        for (long row = 0; row < end; row++) {
            rows.put(keyOf(row), row);
        }
    }

    void commit(CommitLevel level) throws IOException {
        rows.commit(level);
    }

    long memoryBytes() {
        return rows.memoryBytes();
    }

    @Override
    public void close() {
        rows.close();
    }
}
