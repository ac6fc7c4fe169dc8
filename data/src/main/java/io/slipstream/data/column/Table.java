package io.slipstream.data.column;

import io.slipstream.core.memory.Region;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Columns of equal length in blocks. It grows by a block at a time and copies nothing.
 *
 * <p>One thread adds rows; others may read those below {@link #rows}. A row is filled first and published then. One
 * that {@link #beginRow} began is published by the next call of {@link #rows} of the thread that began it: so this
 * thread sees all of its rows, and no other thread sees one that is being filled.
 */
public final class Table implements AutoCloseable {
    private static final Block[] NO_BLOCKS = {};
    private static final VarHandle ROWS;

    static {
        try {
            ROWS = MethodHandles.lookup().findVarHandle(Table.class, "rows", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final BlockLayout layout;
    private final int rowShift;
    private final BlockStore store;
    private volatile Block[] blocks = NO_BLOCKS;
    private volatile boolean isRetired;
    private long rows;

    /**
     * Who fills the row after the last, or null. Others read this field without order, which is enough: each looks
     * only for itself.
     */
    private @Nullable Thread appending;

    /** Creates a table without rows. */
    public Table(BlockLayout layout, BlockStore store) {
        this.layout = layout;
        this.rowShift = Integer.numberOfTrailingZeros(layout.rowsPerBlock());
        this.store = store;
    }

    /** Returns a table without rows, of the same columns and blocks, in another store. */
    public Table emptyCopy(BlockStore in) {
        return new Table(layout, in);
    }

    /** Returns where the values of each block lie. */
    public BlockLayout layout() {
        return layout;
    }

    /** Returns the number of rows, after publishing the one that this thread began, if there is one. */
    public long rows() {
        Thread filler = appending;
        if (filler != null && filler == Thread.currentThread()) {
            publishRow();
        }
        return (long) ROWS.getAcquire(this);
    }

    /** Returns the number of rows that are published, and publishes none. */
    public long publishedRows() {
        return (long) ROWS.getAcquire(this);
    }

    /** Returns the number of rows of a block. */
    public int rowsPerBlock() {
        return 1 << rowShift;
    }

    /** Returns the number of blocks. */
    public int blockCount() {
        return blocks.length;
    }

    /**
     * Returns the block of this number.
     *
     * @throws java.io.UncheckedIOException if it was opened, this is its first use, and it is damaged
     * @throws IllegalStateException if it is no more, as {@link #truncate} or {@link #retire} took it away
     */
    public Block block(int number) {
        Block[] all = blocks;
        if (number >= all.length) {
            throw new IllegalStateException(
                    isRetired
                            ? "rows of the list were removed; begin anew with a new cursor or column"
                            : "the rows of block " + number
                                    + " were truncated while they were read; begin anew with the rows that there are");
        }
        return all[number].verified();
    }

    /** Returns the block of this number, pinned: {@link Block#unpin} ends that. Throws as {@link #block} does. */
    public Block pinned(int number) {
        while (true) {
            Block block = block(number);
            if (block.pin()) {
                return block;
            }
        }
    }

    /**
     * Returns the block that has taken the place of {@code former}, whose memory threw.
     *
     * @throws IllegalStateException {@code thrown} itself if none has; or as {@link #block} does
     */
    public Block successor(int number, Block former, IllegalStateException thrown) {
        Block block = block(number);
        if (block == former) {
            throw thrown;
        }
        return block;
    }

    /**
     * Seals a block that is full: another one with the same values, which takes less memory, takes its place. Those who
     * read meanwhile go on with either. For the thread that adds rows.
     *
     * @return false if it is sealed already, a row of it is held, or it would not take less
     * @throws java.io.UncheckedIOException if there is no room on the disk; the block is as before
     */
    public boolean seal(int number) {
        Block plain = block(number);
        if (plain.sealed() != null || plain.heldRows() > 0) {
            return false;
        }
        SealedColumns columns = SealedColumns.plan(layout, plain.memory());
        if (columns.bytes() >= layout.bytes()) {
            return false;
        }
        Region region = store.other(number, columns.bytes(), true);
        columns.encode(layout, plain.memory(), region.segment());
        replace(number, new Block(region.segment(), columns));
        store.put(number, region, true, plain);
        return true;
    }

    /**
     * Returns the block of this number after unsealing it, if it was sealed, likewise.
     *
     * @throws java.io.UncheckedIOException if there is no room on the disk; the block is as before
     */
    public Block unsealed(int number) {
        Block sealed = block(number);
        SealedColumns columns = sealed.sealed();
        if (columns == null) {
            return sealed;
        }
        Region region = store.other(number, layout.bytes(), false);
        Block plain = new Block(region.segment());
        plain.markChanged();
        columns.decode(layout, sealed.memory(), region.segment());
        plain.hold(sealed.heldRows());
        replace(number, plain);
        store.put(number, region, false, sealed);
        return plain;
    }

    /**
     * Reads the first and the last byte that some rows have in the first group of columns, and returns their sum, so
     * that they are in the cache afterwards. The loop is as short as it can be: the fewer instructions there are from
     * one row to the next, the more rows the processor fetches at once. A row below 0 is none, nor
     * is one that was truncated meanwhile, or lies in a sealed block.
     */
    public int touch(long[] some, int first, int end) {
        Block[] all = blocks;
        int mask = rowsPerBlock() - 1;
        int step = layout.step(0);
        int sum = 0;
        try {
            for (int i = first; i < end; i++) {
                long row = some[i];
                int number = (int) (row >>> rowShift);
                if (row >= 0 && number < all.length && all[number].sealed() == null) {
                    long at = Block.HEADER_BYTES + (row & mask) * step;
                    MemorySegment memory = all[number].memory();
                    sum += memory.get(Layouts.BYTE, at) + memory.get(Layouts.BYTE, at + step - 1);
                }
            }
        } catch (IllegalStateException e) {
            // A block was replaced or taken away: who reads the row goes on with the other one, or says so.
        }
        return sum;
    }

    /** Returns the block of this number, which may not have been compared with its checksum yet. */
    public Block unverifiedBlock(int number) {
        return blocks[number];
    }

    /** Returns how many of the first {@code count} rows a block has. */
    public int rowsOf(int block, long count) {
        return (int) Math.min(1L << rowShift, count - ((long) block << rowShift));
    }

    /** Returns how many blocks the first {@code count} rows lie in. */
    public int blocksOf(long count) {
        return (int) (count + rowsPerBlock() - 1 >>> rowShift);
    }

    /** Makes sure that there is a block for the row after the last. */
    public void reserve() {
        if (publishedRows() >>> rowShift == blocks.length) {
            Block[] more = Arrays.copyOf(blocks, blocks.length + 1);
            more[blocks.length] = store.allocate(blocks.length, layout.bytes());
            blocks = more;
        }
    }

    /** Begins to fill the row after the last, which {@link #rows} publishes: {@link #reserve} was called. */
    public void beginRow() {
        appending = Thread.currentThread();
    }

    /** Returns whether this row was begun and is not published. */
    public boolean isBegun(long row) {
        return appending != null && row == publishedRows();
    }

    /** Publishes the row that was begun, if there is one, whichever thread began it. */
    public void publishBegun() {
        if (appending != null) {
            publishRow();
        }
    }

    /** Gives up the row that was begun. Its values must be zero again. */
    public void discardBegun() {
        appending = null;
    }

    /** Adds a row whose values are in its place, or are zero: {@link #reserve} was called. */
    public void publishRow() {
        appending = null;
        ROWS.setRelease(this, rows + 1);
    }

    /** Returns how many of {@code count} rows of a table lie in one block: there from {@code first} on, here next. */
    public int roomFor(Table from, long first, long count) {
        int to = (int) rows & rowsPerBlock() - 1;
        int at = (int) first & from.rowsPerBlock() - 1;
        return (int) Math.min(count, Math.min(rowsPerBlock() - to, from.rowsPerBlock() - at));
    }

    /** Adds rows of a table with the same layout, from {@code first} on: as many as {@link #roomFor} says. */
    public void addRows(Table from, long first, int some) {
        reserve();
        int to = (int) rows & rowsPerBlock() - 1;
        int at = (int) first & from.rowsPerBlock() - 1;
        Block source = from.block((int) (first >>> from.rowShift));
        SealedColumns sealed = source.sealed();
        MemorySegment target = blocks[(int) (rows >>> rowShift)].memory();
        if (sealed == null) {
            layout.copyRows(source.memory(), at, target, to, some);
        } else {
            sealed.copyRows(layout, source.memory(), at, target, to, some);
        }
        ROWS.setRelease(this, rows + some);
    }

    /** Puts a block in place of one with the same values. */
    public void replace(int number, Block block) {
        Block[] all = blocks.clone();
        all[number] = block;
        blocks = all;
    }

    /** Takes the rows from this one on away, and gives the blocks that have no other back. */
    public void truncate(long to) {
        int kept = blocksOf(to);
        ROWS.setRelease(this, to);
        blocks = Arrays.copyOf(blocks, kept);
        store.release(kept);
    }

    /**
     * Gives all blocks back, as another table has come in the place of this one. Whoever reads it still gets an {@link
     * IllegalStateException}, and never fewer rows without one.
     */
    public void retire() {
        isRetired = true;
        blocks = NO_BLOCKS;
        store.close();
    }

    /** Takes over what was stored. */
    public void adopt(List<Block> stored, long storedRows) {
        blocks = stored.toArray(Block[]::new);
        ROWS.setRelease(this, storedRows);
    }

    /** Returns the bytes that the blocks take. */
    public long memoryBytes() {
        long bytes = 0;
        for (Block block : blocks) {
            bytes += block.memory().byteSize();
        }
        return bytes;
    }

    @Override
    public void close() {
        store.close();
    }
}
