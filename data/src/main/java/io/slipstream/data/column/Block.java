package io.slipstream.data.column;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * All columns of a power of two of rows.
 *
 * <p>A block in a file has {@link #HEADER_BYTES} before its columns. The first rows of it may be covered by the
 * checksum of a commit; before one of these is changed in place, a mark in the header says that the checksum is void.
 * A block that was opened is compared with its checksum when somebody first needs it.
 */
public final class Block {
    /** Bytes before the columns. */
    public static final int HEADER_BYTES = 64;

    private static final long CHANGED_AT = 8;

    private final MemorySegment memory;
    private int checkedRows;
    private int checksum;
    private int heldRows;

    /** The greater one of {@link #checkedRows} and {@link #heldRows}. */
    private int watchedRows;

    private @Nullable Runnable firstUse;

    /** Creates a block over its memory, header included. */
    public Block(MemorySegment memory) {
        this.memory = memory;
    }

    /**
     * Creates a block that a commit covers. {@code firstUse} compares it with the checksum before anybody reads or
     * changes it, and throws if it is damaged; then it runs again at the next use.
     */
    public Block(MemorySegment memory, int checkedRows, int checksum, Runnable firstUse) {
        this.memory = memory;
        this.checkedRows = checkedRows;
        this.watchedRows = checkedRows;
        this.checksum = checksum;
        this.firstUse = firstUse;
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
        if (row < heldRows) {
            throw new IllegalStateException(
                    "a removal has passed this row; finish or close the removal before the row is changed");
        }
        if (row < checkedRows) {
            memory.set(Layouts.LONG, CHANGED_AT, 1);
            checkedRows = 0;
            watchedRows = heldRows;
        }
    }

    /** Refuses changes of the first rows, as they have been copied; of none with 0. */
    public void hold(int rows) {
        heldRows = rows;
        watchedRows = Math.max(rows, checkedRows);
    }

    /** Takes note of a commit: its checksum covers so many rows. */
    public void markChecked(int rows, int crc) {
        memory.set(Layouts.LONG, CHANGED_AT, 0);
        checkedRows = rows;
        watchedRows = Math.max(rows, heldRows);
        checksum = crc;
    }

    /** Returns whether a row was changed in place after the checksum was taken. */
    public boolean isChanged() {
        return memory.get(Layouts.LONG, CHANGED_AT) != 0;
    }
}
