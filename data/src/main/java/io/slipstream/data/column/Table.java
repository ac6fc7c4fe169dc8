package io.slipstream.data.column;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;

/**
 * Columns of equal length in blocks. It grows by a block at a time and copies nothing.
 *
 * <p>One thread adds rows; others may read those below {@link #rows}.
 */
public final class Table implements AutoCloseable {
    private static final VarHandle ROWS;

    static {
        try {
            ROWS = MethodHandles.lookup().findVarHandle(Table.class, "rows", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final List<Width> widths;
    private final int rowShift;
    private final int[] offsets;
    private final long blockBytes;
    private final BlockStore store;
    private volatile Block[] blocks = new Block[0];
    private long rows;

    /**
     * Creates a table without rows.
     *
     * @param rowsPerBlock a power of two, at least 64
     * @throws IllegalArgumentException if {@code rowsPerBlock} is something else, or a block had more than 1 GiB
     */
    public Table(List<Width> widths, int rowsPerBlock, BlockStore store) {
        if (rowsPerBlock < 64 || Integer.bitCount(rowsPerBlock) != 1) {
            throw new IllegalArgumentException(
                    "rows of a block: " + rowsPerBlock + "; take a power of two, at least 64");
        }
        this.widths = List.copyOf(widths);
        this.rowShift = Integer.numberOfTrailingZeros(rowsPerBlock);
        this.offsets = new int[widths.size()];
        this.store = store;
        long at = Block.HEADER_BYTES;
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = (int) at;
            at += widths.get(i).bytesOf(rowsPerBlock) + 63 & ~63L;
            if (at > 1L << 30) {
                throw new IllegalArgumentException(
                        "a block of " + rowsPerBlock + " rows has more than 1 GiB; take fewer rows");
            }
        }
        this.blockBytes = at;
    }

    /** Returns the number of rows. */
    public long rows() {
        return (long) ROWS.getAcquire(this);
    }

    /** Returns the number of rows of a block. */
    public int rowsPerBlock() {
        return 1 << rowShift;
    }

    /** Returns the number of bytes of a block. */
    public long blockBytes() {
        return blockBytes;
    }

    /** Returns the number of blocks. */
    public int blockCount() {
        return blocks.length;
    }

    /**
     * Returns the block of this number.
     *
     * @throws java.io.UncheckedIOException if it was opened, this is its first use, and it is damaged
     */
    public Block block(int number) {
        return blocks[number].verified();
    }

    /** Returns the block of this number, which may not have been compared with its checksum yet. */
    public Block unverifiedBlock(int number) {
        return blocks[number];
    }

    /** Returns the number of rows that a block has by now. */
    public int rowsOf(int block) {
        return (int) Math.min(1L << rowShift, rows() - ((long) block << rowShift));
    }

    /** Returns the width of the values of a column. */
    public Width width(int column) {
        return widths.get(column);
    }

    /** Returns where a column begins in each block. */
    public int offset(int column) {
        return offsets[column];
    }

    /** Returns the number of columns. */
    public int columns() {
        return offsets.length;
    }

    /** Makes sure that there is a block for the row after the last. */
    public void reserve() {
        if (rows >>> rowShift == blocks.length) {
            Block[] more = Arrays.copyOf(blocks, blocks.length + 1);
            more[blocks.length] = store.allocate(blocks.length, blockBytes);
            blocks = more;
        }
    }

    /** Adds a row whose values are in its place, or are zero: {@link #reserve} was called. */
    public void publishRow() {
        ROWS.setRelease(this, rows + 1);
    }

    /** Takes over what was stored. */
    public void adopt(List<Block> stored, long storedRows) {
        blocks = stored.toArray(Block[]::new);
        ROWS.setRelease(this, storedRows);
    }

    /** Returns the bytes that the blocks take. */
    public long memoryBytes() {
        return blocks.length * blockBytes;
    }

    @Override
    public void close() {
        store.close();
    }
}
