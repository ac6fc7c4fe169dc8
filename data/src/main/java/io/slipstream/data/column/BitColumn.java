package io.slipstream.data.column;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A column of one bit a row. Rows without a value take part in nothing. Reading is for any thread; each call is over
 * the rows that there are when it begins.
 */
public final class BitColumn {
    private final Table table;
    private final int column;
    private final int offset;
    private final int step;
    private final @Nullable BitColumn presence;

    /** Returns the column of this number, in which all rows have a value. */
    public BitColumn(Table table, int column) {
        this(table, column, null);
    }

    /** Returns the column of this number; {@code presence} says which rows have a value, null that all have. */
    public BitColumn(Table table, int column, @Nullable BitColumn presence) {
        this.table = table;
        this.column = column;
        this.offset = table.layout().offset(column);
        this.step = table.layout().step(column);
        this.presence = presence;
    }

    /** Returns the value of a row; {@code false} if it has none. */
    public boolean get(long row) {
        Rows.check(row, table);
        int index = (int) row & table.rowsPerBlock() - 1;
        int number = (int) (row / table.rowsPerBlock());
        Block block = table.block(number);
        while (true) {
            try {
                SealedColumns sealed = block.sealed();
                return sealed == null
                        ? BlockLayout.bit(block.memory(), offset, step, index)
                        : sealed.frame(column).bits(block.memory(), index) != 0;
            } catch (IllegalStateException e) {
                block = table.successor(number, block, e);
            }
        }
    }

    /** Returns the bits of 64 rows of a block, from a multiple of 64 on. */
    long word(Block block, int index) {
        MemorySegment memory = block.memory();
        SealedColumns sealed = block.sealed();
        if (sealed != null) {
            return sealed.frame(column).word(memory, index);
        }
        if (step == BlockLayout.PACKED) {
            return memory.get(Layouts.LONG, offset + ((long) index << 3));
        }
        long word = 0;
        int first = index << 6;
        for (int i = 0; i < Long.SIZE; i++) {
            word |= BlockLayout.bit(memory, offset, step, first + i) ? 1L << i : 0;
        }
        return word;
    }

    /** Returns how many rows have {@code true}. */
    public long count() {
        long count = 0;
        long all = table.rows();
        for (int block = 0; block < table.blocksOf(all); block++) {
            int rows = table.rowsOf(block, all);
            int words = rows >>> 6;
            Block its = table.pinned(block);
            try {
                for (int i = 0; i < words; i++) {
                    count += Long.bitCount(word(its, i));
                }
                if ((rows & 63) != 0) {
                    count += Long.bitCount(word(its, words) & (1L << rows) - 1);
                }
            } finally {
                its.unpin();
            }
        }
        return count;
    }

    /** Returns the rows that have {@code true}. */
    public RowSet where() {
        return where(0, null);
    }

    /** Returns the rows that have {@code false}. */
    public RowSet whereNot() {
        return where(-1, presence);
    }

    /** Returns the rows whose bit, turned over by {@code flip}, is 1, and which {@code among} has. */
    private RowSet where(long flip, @Nullable BitColumn among) {
        RowSet set = new RowSet(table.rows());
        long at = 0;
        for (int block = 0; block < table.blocksOf(set.rows()); block++) {
            int rows = table.rowsOf(block, set.rows());
            Block its = table.pinned(block);
            try {
                for (int i = 0; i < rows + 63 >>> 6; i++) {
                    long mask = rows - (i << 6) >= 64 ? -1 : (1L << rows) - 1;
                    long word = (word(its, i) ^ flip) & mask;
                    set.setWord(at++, among == null ? word : word & among.word(its, i));
                }
            } finally {
                its.unpin();
            }
        }
        return set;
    }
}
