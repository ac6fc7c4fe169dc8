package io.slipstream.data.column;

import java.lang.foreign.MemorySegment;

/**
 * All columns of a power of two of rows.
 *
 * <p>A block in a file has {@link #HEADER_BYTES} before its columns. The first rows of it may be covered by the
 * checksum of a commit; before one of these is changed in place, a mark in the header says that the checksum is void.
 */
public final class Block {
    /** Bytes before the columns. */
    public static final int HEADER_BYTES = 64;

    private static final long CHANGED_AT = 8;

    private final MemorySegment memory;
    private int checkedRows;
    private int checksum;

    /** Creates a block over its memory, header included. */
    public Block(MemorySegment memory) {
        this.memory = memory;
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

    /** Marks the checksum as void. */
    public void markChanged() {
        memory.set(Layouts.LONG, CHANGED_AT, 1);
        checkedRows = 0;
    }

    /** Takes note of a commit: its checksum covers so many rows. */
    public void markChecked(int rows, int crc) {
        memory.set(Layouts.LONG, CHANGED_AT, 0);
        checkedRows = rows;
        checksum = crc;
    }

    /** Returns whether a row was changed in place after the checksum was taken. */
    public boolean isChanged() {
        return memory.get(Layouts.LONG, CHANGED_AT) != 0;
    }
}
