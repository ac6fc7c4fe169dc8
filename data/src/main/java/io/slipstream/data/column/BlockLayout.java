package io.slipstream.data.column;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Where the values of a block lie. Columns are in groups, one behind the other, each at a multiple of 64. The values of
 * a column that is alone in its group lie side by side; bits are packed, 64 to a word, the lowest first. In a group of
 * several columns the values of a row lie side by side, the widest first and each at a multiple of its width; a bit
 * takes a byte there, and a row as many bytes as its values, rounded up to a multiple of the widest. Immutable.
 */
public final class BlockLayout {
    /** The {@link #step} of a column of packed bits. */
    public static final int PACKED = 0;

    private static final long MOST_BYTES = 1L << 30;

    private final List<Width> widths;
    private final List<Group> groups = new ArrayList<>();
    private final int rowsPerBlock;
    private final int[] offsets;
    private final int[] steps;
    private final long bytes;

    /** Columns from {@code first} to before {@code end}, whose values begin at {@code offset}. */
    private record Group(int first, int end, int offset, int step) {}

    /**
     * Plans the blocks.
     *
     * @param widths of all columns
     * @param groups of how many columns each group is; together they are all
     * @param rowsPerBlock a power of two, at least 64
     * @throws IllegalArgumentException if one of these is not so, or a block had more than 1 GiB
     */
    public BlockLayout(List<Width> widths, List<Integer> groups, int rowsPerBlock) {
        if (rowsPerBlock < 64 || Integer.bitCount(rowsPerBlock) != 1) {
            throw new IllegalArgumentException(
                    "rows of a block: " + rowsPerBlock + "; take a power of two, at least 64");
        }
        if (groups.stream().anyMatch(columns -> columns < 1)
                || groups.stream().mapToLong(columns -> columns).sum() != widths.size()) {
            throw new IllegalArgumentException("groups of " + groups + " columns are not " + widths.size());
        }
        this.widths = List.copyOf(widths);
        this.rowsPerBlock = rowsPerBlock;
        this.offsets = new int[widths.size()];
        this.steps = new int[widths.size()];
        long at = Block.HEADER_BYTES;
        int first = 0;
        for (int columns : groups) {
            Group group = place(first, first + columns, (int) at);
            this.groups.add(group);
            at += bytesOf(group, rowsPerBlock) + 63 & ~63L;
            if (at > MOST_BYTES) {
                throw new IllegalArgumentException(
                        "a block of " + rowsPerBlock + " rows has more than 1 GiB; take fewer rows");
            }
            first += columns;
        }
        this.bytes = at;
    }

    /** Returns a layout of columns each of which is alone. */
    public static BlockLayout ofColumns(List<Width> widths, int rowsPerBlock) {
        return new BlockLayout(widths, Collections.nCopies(widths.size(), 1), rowsPerBlock);
    }

    /** Places the columns of a group. */
    private Group place(int first, int end, int at) {
        if (end - first == 1) {
            offsets[first] = at;
            steps[first] = widths.get(first).bytes();
            return new Group(first, end, at, steps[first]);
        }
        int row = 0;
        int widest = 0;
        for (int width = Long.BYTES; width > 0; width >>= 1) {
            for (int i = first; i < end; i++) {
                if (Math.max(1, widths.get(i).bytes()) == width) {
                    widest = Math.max(widest, width);
                    offsets[i] = at + row;
                    row += width;
                }
            }
        }
        int step = row + widest - 1 & -widest;
        Arrays.fill(steps, first, end, step);
        return new Group(first, end, at, step);
    }

    private static long bytesOf(Group group, int rows) {
        return group.step == PACKED ? Width.BIT.bytesOf(rows) : (long) group.step * rows;
    }

    /** Returns how many columns each group has. */
    public List<Integer> groups() {
        return groups.stream().map(group -> group.end - group.first).toList();
    }

    /** Returns whether each column is alone in its group. */
    public boolean isOfColumns() {
        return groups.size() == columns();
    }

    /** Returns the number of rows of a block. */
    public int rowsPerBlock() {
        return rowsPerBlock;
    }

    /** Returns the number of columns. */
    public int columns() {
        return offsets.length;
    }

    /** Returns the width of the values of a column. */
    public Width width(int column) {
        return widths.get(column);
    }

    /** Returns where a column begins in each block. */
    public int offset(int column) {
        return offsets[column];
    }

    /** Returns how many bytes behind the value of a row that of the next one lies, or {@link #PACKED}. */
    public int step(int column) {
        return steps[column];
    }

    /** Returns whether the values of a column lie side by side. */
    public boolean isAlone(int column) {
        return steps[column] == widths.get(column).bytes();
    }

    /** Returns where in a block the value of a row lies, in a column that is not packed. */
    public long address(int column, int row) {
        return offsets[column] + (long) row * steps[column];
    }

    /** Returns the bit of a row. */
    public boolean bit(MemorySegment memory, int column, int row) {
        return bit(memory, offsets[column], steps[column], row);
    }

    /** Returns the bit of a row in the column that begins at {@code offset}. */
    public static boolean bit(MemorySegment memory, int offset, int step, int row) {
        return step == PACKED
                ? (memory.get(Layouts.BYTE, offset + (row >>> 3)) >>> (row & 7) & 1) != 0
                : memory.get(Layouts.BYTE, offset + (long) row * step) != 0;
    }

    /** Returns the value of a row: a whole number, 0 or 1, or the raw bits of a {@code float} or {@code double}. */
    long bits(MemorySegment memory, int column, int row) {
        Width width = widths.get(column);
        return width == Width.BIT ? bit(memory, column, row) ? 1 : 0 : bits(memory, width, address(column, row));
    }

    /** Returns the value of a width that is no bit at {@code at}. */
    static long bits(MemorySegment memory, Width width, long at) {
        return switch (width) {
            case FLOAT -> memory.get(Layouts.INT, at);
            case DOUBLE -> memory.get(Layouts.LONG, at);
            default -> Loops.get(width, memory, at);
        };
    }

    /** Sets the value of a row, as {@link #bits(MemorySegment, int, int)} returns it. */
    void putBits(MemorySegment memory, int column, int row, long bits) {
        Width width = widths.get(column);
        if (width != Width.BIT) {
            putBits(memory, width, address(column, row), bits);
        } else if (steps[column] == PACKED) {
            putBit(memory, offsets[column], row, (int) bits);
        } else {
            memory.set(Layouts.BYTE, address(column, row), (byte) bits);
        }
    }

    /** Sets the value of a width that is no bit at {@code at}. */
    static void putBits(MemorySegment memory, Width width, long at, long bits) {
        switch (width.bytes()) {
            case 1 -> memory.set(Layouts.BYTE, at, (byte) bits);
            case 2 -> memory.set(Layouts.SHORT, at, (short) bits);
            case 4 -> memory.set(Layouts.INT, at, (int) bits);
            default -> memory.set(Layouts.LONG, at, bits);
        }
    }

    private static void putBit(MemorySegment memory, int offset, int row, int bit) {
        long place = offset + (row >>> 3);
        int shift = row & 7;
        int former = memory.get(Layouts.BYTE, place);
        memory.set(Layouts.BYTE, place, (byte) (former & ~(1 << shift) | bit << shift));
    }

    /** Returns the number of bytes of a block. */
    public long bytes() {
        return bytes;
    }

    /**
     * Returns the number of bytes of a block that has only the groups of the first {@code columns}.
     *
     * @throws IllegalArgumentException if no group ends there
     */
    public long bytes(int columns) {
        if (columns == columns()) {
            return bytes;
        }
        for (Group group : groups) {
            if (group.first == columns) {
                return group.offset;
            }
        }
        throw new IllegalArgumentException("no group ends with column " + columns + " of " + groups());
    }

    /** Returns the CRC-32C of the first rows, group by group. */
    public int checksum(MemorySegment memory, int rows) {
        return checksum(memory, columns(), rows);
    }

    /** Returns the CRC-32C of the first rows in the groups of the first {@code columns}, group by group. */
    public int checksum(MemorySegment memory, int columns, int rows) {
        CRC32C crc = new CRC32C();
        for (Group group : groups) {
            if (group.first < columns) {
                boolean isPacked = group.step == PACKED;
                long whole = isPacked ? rows >>> 3 : bytesOf(group, rows);
                crc.update(memory.asSlice(group.offset, whole).asByteBuffer());
                if (isPacked && (rows & 7) != 0) {
                    crc.update(memory.get(Layouts.BYTE, group.offset + whole) & (1 << (rows & 7)) - 1);
                }
            }
        }
        return (int) crc.getValue();
    }

    /** Copies rows from a block of this layout to another one: from {@code at} on, to {@code to} and after it. */
    void copyRows(MemorySegment source, int at, MemorySegment target, int to, int count) {
        for (Group group : groups) {
            if (group.step == PACKED) {
                copyBits(source, group.offset, at, target, to, count);
            } else {
                long step = group.step;
                MemorySegment.copy(source, group.offset + at * step, target, group.offset + to * step, count * step);
            }
        }
    }

    private static void copyBits(MemorySegment source, int offset, int at, MemorySegment target, int to, int count) {
        for (int i = 0; i < count; i++) {
            putBit(target, offset, to + i, bit(source, offset, PACKED, at + i) ? 1 : 0);
        }
    }
}
