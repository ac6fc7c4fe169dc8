package io.slipstream.data.column;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * All columns of a power of two of rows.
 *
 * <p>A block in a file has {@link #HEADER_BYTES} before its columns. The first rows of it may be covered by the
 * checksum of a commit; before one of these is changed in place, a mark in the header says that the checksum is void.
 * A block that was opened is compared with its checksum when somebody first needs it.
 *
 * <p>A block that is {@link #sealed} is full, and takes less memory: another one takes its place before a row changes.
 * The memory of a block that was replaced is given back once no column reads it. A cursor, or a column that reads one
 * row, gets an {@link IllegalStateException} from the memory then, and goes on with the block that took the place.
 */
public final class Block {
    /** Bytes before the columns. */
    public static final int HEADER_BYTES = 64;

    private static final long CHANGED_AT = 8;

    /** What {@link #users} is less by after the block was replaced. */
    private static final int REPLACED = Integer.MIN_VALUE;

    private final MemorySegment memory;
    private final @Nullable SealedColumns sealed;
    private final AtomicInteger users = new AtomicInteger();
    private int checkedRows;
    private int checksum;
    private int heldRows;

    /** The greater one of {@link #checkedRows} and {@link #heldRows}; any row of a block that is not to be changed. */
    private int watchedRows;

    private boolean isReplaced;

    private @Nullable Runnable firstUse;
    private @Nullable Runnable release;

    /** Creates a block over its memory, header included. */
    public Block(MemorySegment memory) {
        this(memory, null);
    }

    /** Creates a block over its memory, header included; {@code sealed} says where its columns are if it is sealed. */
    public Block(MemorySegment memory, @Nullable SealedColumns sealed) {
        this.memory = memory;
        this.sealed = sealed;
        watch();
    }

    /**
     * Creates a block that a commit covers. {@code firstUse} compares it with the checksum before anybody reads or
     * changes it, and throws if it is damaged; then it runs again at the next use.
     */
    public Block(
            MemorySegment memory, @Nullable SealedColumns sealed, int checkedRows, int checksum, Runnable firstUse) {
        this.memory = memory;
        this.sealed = sealed;
        this.checkedRows = checkedRows;
        this.checksum = checksum;
        this.firstUse = firstUse;
        watch();
    }

    /** Returns a block that has no memory: no row can be read, and a change of any is to be announced. */
    public static Block withoutRows() {
        Block none = new Block(MemorySegment.NULL);
        none.hold(Integer.MAX_VALUE);
        return none;
    }

    private void watch() {
        boolean isFixed = sealed != null || isReplaced;
        watchedRows = isFixed ? Integer.MAX_VALUE : Math.max(heldRows, checkedRows);
    }

    /** Returns where the columns are if the block is sealed, else null: then they are where the layout says. */
    public @Nullable SealedColumns sealed() {
        return sealed;
    }

    /** Keeps the memory until {@link #unpin}; returns false if another block has taken the place of this one. */
    public boolean pin() {
        for (int now = users.get(); now >= 0; now = users.get()) {
            if (users.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Ends what a {@link #pin} began that returned true. */
    public void unpin() {
        if (users.decrementAndGet() == REPLACED) {
            release();
        }
    }

    /**
     * Says that another block has taken the place of this one in its table, and gives the memory back by {@code
     * release}: at once, or when the last {@link #pin} ends, by the thread that ends it.
     */
    public void replaced(Runnable release) {
        this.release = release;
        isReplaced = true;
        watch();
        int before = users.getAndAdd(REPLACED);
        if (before == 0) {
            release();
        }
    }

    private void release() {
        Runnable last = release;
        if (last != null) {
            last.run();
        }
    }

    /** Returns this block, whose checksum was compared. */
    Block verified() {
        if (firstUse != null) {
            verify();
        }
        return this;
    }

    /** One thread compares, and those that come meanwhile wait: nobody changes what is being compared. */
    private synchronized void verify() {
        Runnable compare = firstUse;
        if (compare != null) {
            compare.run();
            firstUse = null;
        }
    }

    /** Returns the memory, header included. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns whether another block has taken the place of this one. Other threads than the owner may see it late. */
    public boolean isReplaced() {
        return isReplaced;
    }

    /** Returns how many rows a valid checksum covers. */
    public int checkedRows() {
        return checkedRows;
    }

    /** Returns the checksum of these rows. */
    public int checksum() {
        return checksum;
    }

    /** Returns below which row a change is to be announced by {@link #beforeChange}. */
    public int watchedRows() {
        return watchedRows;
    }

    /**
     * Before a row is changed in place: marks the checksum as void if it covers the row.
     *
     * @throws IllegalStateException if the row is held
     */
    public void beforeChange(int row) {
        requireNotHeld(row);
        if (row < checkedRows) {
            markChanged();
            checkedRows = 0;
            watch();
        }
    }

    /**
     * Refuses a change of a row that is held.
     *
     * @throws IllegalStateException if it is
     */
    public void requireNotHeld(int row) {
        if (row < heldRows) {
            throw new IllegalStateException(
                    "a removal has passed this row; finish or close the removal before the row is changed");
        }
    }

    /** Marks the checksum that a commit has of this block as void. */
    public void markChanged() {
        memory.set(Layouts.LONG, CHANGED_AT, 1);
    }

    /** Returns how many rows are held. */
    int heldRows() {
        return heldRows;
    }

    /** Refuses changes of the first rows, as they have been copied; of none with 0. */
    public void hold(int rows) {
        heldRows = rows;
        watch();
    }

    /** Takes note of a commit: its checksum covers so many rows. */
    public void markChecked(int rows, int crc) {
        memory.set(Layouts.LONG, CHANGED_AT, 0);
        checkedRows = rows;
        checksum = crc;
        watch();
    }

    /**
     * Returns the CRC-32C of the first rows in the groups of the first {@code columns} of a layout; of a sealed block,
     * that of all behind its header.
     */
    public int checksumOf(BlockLayout layout, int columns, int rows) {
        if (sealed == null) {
            return layout.checksum(memory, columns, rows);
        }
        CRC32C crc = new CRC32C();
        crc.update(memory.asSlice(HEADER_BYTES).asByteBuffer());
        return (int) crc.getValue();
    }

    /** Returns whether a row was changed in place after the checksum was taken. */
    public boolean isChanged() {
        return memory.get(Layouts.LONG, CHANGED_AT) != 0;
    }
}
