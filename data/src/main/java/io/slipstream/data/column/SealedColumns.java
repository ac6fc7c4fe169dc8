package io.slipstream.data.column;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a sealed block: one behind the other, each in its own packing. A sealed block is full and is never
 * changed; it is unsealed before. Immutable.
 *
 * <pre>
 *   header 64: magic 8 "slpseal1", zeros
 *   columns 4 | rows 4 | of each column: base 8, offset 4, packing 4 | zeros to a multiple of 64
 *   rests of each column, zeros to a multiple of 64 ...
 * </pre>
 *
 * <p>Little-endian. A column lies behind the one before, so the offsets say nothing that the packings do not: they
 * are compared when a block is opened, and nothing outside of the block can be addressed.
 */
public final class SealedColumns {
    private static final long MAGIC = 0x316c_6165_7370_6c73L; // "slpseal1"
    private static final int DIRECTORY_AT = Block.HEADER_BYTES;
    private static final int FIRST_FRAME_AT = DIRECTORY_AT + 8;
    private static final int FRAME_BYTES = 16;
    private static final Frame.Packing[] PACKINGS = Frame.Packing.values();

    private final Frame[] frames;
    private final int rows;
    private final long bytes;

    /** Places the columns. */
    private SealedColumns(Frame[] unplaced, int rows) {
        this.frames = new Frame[unplaced.length];
        this.rows = rows;
        long at = aligned(FIRST_FRAME_AT + (long) unplaced.length * FRAME_BYTES);
        for (int i = 0; i < unplaced.length; i++) {
            long length = unplaced[i].bytes(rows);
            frames[i] = unplaced[i].at(length == 0 ? 0 : (int) at);
            at += aligned(length);
        }
        this.bytes = at;
    }

    private static long aligned(long bytes) {
        return bytes + 63 & ~63L;
    }

    /** Returns how the columns of a block that is full are sealed. */
    static SealedColumns plan(BlockLayout layout, MemorySegment memory) {
        Frame[] frames = new Frame[layout.columns()];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = Frame.of(layout, memory, i);
        }
        return new SealedColumns(frames, layout.rowsPerBlock());
    }

    /**
     * Reads the directory of a sealed block.
     *
     * @param columns how many of the columns of {@code layout} it has, the first of them
     * @throws IllegalArgumentException if it is none, or its directory is damaged: the message says how
     */
    public static SealedColumns read(BlockLayout layout, int columns, MemorySegment memory) {
        long least = aligned(FIRST_FRAME_AT + (long) columns * FRAME_BYTES);
        require(memory.byteSize() >= least, "it has %s bytes, fewer than %s", memory.byteSize(), least);
        require(memory.get(Layouts.LONG, 0) == MAGIC, "it is no sealed block");
        for (int at = Long.BYTES; at < Block.HEADER_BYTES; at += Long.BYTES) {
            require(memory.get(Layouts.LONG, at) == 0, "its header is not 0 at %s", at);
        }
        int its = memory.get(Layouts.INT, DIRECTORY_AT);
        require(its == columns, "it has %s columns instead of %s", its, columns);
        int rows = memory.get(Layouts.INT, DIRECTORY_AT + Integer.BYTES);
        require(rows == layout.rowsPerBlock(), "it has %s rows instead of %s", rows, layout.rowsPerBlock());
        Frame[] frames = new Frame[columns];
        for (int i = 0; i < columns; i++) {
            long at = FIRST_FRAME_AT + (long) i * FRAME_BYTES;
            int packing = memory.get(Layouts.INT, at + Long.BYTES + Integer.BYTES);
            require(packing >= 0 && packing < PACKINGS.length, "column %s has packing %s", i, packing);
            frames[i] = new Frame(layout.width(i), PACKINGS[packing], memory.get(Layouts.LONG, at), 0);
            require(frames[i].isPossible(), "column %s of %s cannot have packing %s", i, layout.width(i), packing);
        }
        SealedColumns sealed = new SealedColumns(frames, rows);
        for (int i = 0; i < columns; i++) {
            int offset = memory.get(Layouts.INT, FIRST_FRAME_AT + (long) i * FRAME_BYTES + Long.BYTES);
            int wanted = sealed.frames[i].offset();
            require(offset == wanted, "column %s begins at %s instead of %s", i, offset, wanted);
        }
        require(memory.byteSize() == sealed.bytes, "it has %s bytes instead of %s", memory.byteSize(), sealed.bytes);
        return sealed;
    }

    private static void require(boolean isRight, String how, @Nullable Object... figures) {
        if (!isRight) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, how, figures));
        }
    }

    /** Returns the number of bytes of the block. */
    long bytes() {
        return bytes;
    }

    Frame frame(int column) {
        return frames[column];
    }

    /** Returns the value of a row: a whole number, 0 or 1, or the raw bits of a {@code float} or {@code double}. */
    public long bits(MemorySegment memory, int column, int row) {
        return frames[column].bits(memory, row);
    }

    /** Writes a sealed block, whose memory is zero, with the values of one that is not. */
    void encode(BlockLayout layout, MemorySegment plain, MemorySegment sealed) {
        sealed.set(Layouts.LONG, 0, MAGIC);
        sealed.set(Layouts.INT, DIRECTORY_AT, frames.length);
        sealed.set(Layouts.INT, DIRECTORY_AT + Integer.BYTES, rows);
        for (int column = 0; column < frames.length; column++) {
            Frame frame = frames[column];
            long at = FIRST_FRAME_AT + (long) column * FRAME_BYTES;
            sealed.set(Layouts.LONG, at, frame.base());
            sealed.set(Layouts.INT, at + Long.BYTES, frame.offset());
            sealed.set(
                    Layouts.INT,
                    at + Long.BYTES + Integer.BYTES,
                    frame.packing().ordinal());
            if (frame.packing() != Frame.Packing.CONSTANT) {
                for (int row = 0; row < rows; row++) {
                    frame.put(sealed, row, layout.bits(plain, column, row));
                }
            }
        }
    }

    /** Writes all values to a block that is not sealed, whose further columns stay as they are. */
    public void decode(BlockLayout layout, MemorySegment sealed, MemorySegment plain) {
        copyRows(layout, sealed, 0, plain, 0, rows);
    }

    /** Copies rows to a block that is not sealed: from {@code at} on, to {@code to} and after it. */
    void copyRows(BlockLayout layout, MemorySegment sealed, int at, MemorySegment plain, int to, int some) {
        for (int column = 0; column < frames.length; column++) {
            Frame frame = frames[column];
            for (int i = 0; i < some; i++) {
                layout.putBits(plain, column, to + i, frame.bits(sealed, at + i));
            }
        }
    }
}
