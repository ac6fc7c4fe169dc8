package io.slipstream.data.column;

import java.util.Arrays;
import java.util.function.LongConsumer;

/** A set of rows: a bit for each row of a table. Not safe for threads. */
public final class RowSet {
    private static final long MOST_ROWS = 1L << 36;

    private final long rows;
    private final long[] words;

    /** Creates an empty set for a table of so many rows, up to 2^36. */
    public RowSet(long rows) {
        if (rows < 0 || rows > MOST_ROWS) {
            throw new IllegalArgumentException("a set is of 0 to 2^36 rows, not " + rows);
        }
        this.rows = rows;
        this.words = new long[(int) (rows + 63 >>> 6)];
    }

    /** Returns the number of rows of the table. */
    public long rows() {
        return rows;
    }

    /**
     * Adds a row.
     *
     * @throws IndexOutOfBoundsException if the table has no such row
     */
    public void add(long row) {
        if (row < 0 || row >= rows) {
            throw new IndexOutOfBoundsException("row " + row + " is not in a set of " + rows + " rows");
        }
        words[(int) (row >>> 6)] |= 1L << row;
    }

    /** Returns whether a row is in the set. */
    public boolean contains(long row) {
        return row >= 0 && row < rows && (words[(int) (row >>> 6)] >>> row & 1) != 0;
    }

    /** Returns the number of rows in the set. */
    public long count() {
        long count = 0;
        for (long word : words) {
            count += Long.bitCount(word);
        }
        return count;
    }

    /** Keeps those rows that the other set has, too, and returns this. */
    public RowSet and(RowSet other) {
        requireSameTable(other);
        for (int i = 0; i < words.length; i++) {
            words[i] &= other.words[i];
        }
        return this;
    }

    /** Adds those of the other set and returns this. */
    public RowSet or(RowSet other) {
        requireSameTable(other);
        for (int i = 0; i < words.length; i++) {
            words[i] |= other.words[i];
        }
        return this;
    }

    /** Replaces the set by all other rows and returns this. */
    public RowSet not() {
        for (int i = 0; i < words.length; i++) {
            words[i] = ~words[i];
        }
        if ((rows & 63) != 0) {
            words[words.length - 1] &= (1L << rows) - 1;
        }
        return this;
    }

    /** Calls {@code consumer} with each row, in order. */
    public void forEach(LongConsumer consumer) {
        for (int i = 0; i < words.length; i++) {
            for (long word = words[i]; word != 0; word &= word - 1) {
                consumer.accept(((long) i << 6) + Long.numberOfTrailingZeros(word));
            }
        }
    }

    /** Returns the words of the rows of a block: bit 0 of the first is its first row. */
    long word(long index) {
        return words[(int) index];
    }

    void setWord(long index, long word) {
        words[(int) index] = word;
    }

    private void requireSameTable(RowSet other) {
        if (other.rows != rows) {
            throw new IllegalArgumentException("one set is of " + rows + " rows, the other of " + other.rows
                    + "; filter both after the last row was added");
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowSet set && set.rows == rows && Arrays.equals(set.words, words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    @Override
    public String toString() {
        return count() + " of " + rows + " rows";
    }
}
