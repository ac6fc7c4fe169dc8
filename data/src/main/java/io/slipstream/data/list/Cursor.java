package io.slipstream.data.list;

import io.slipstream.data.column.Block;
import io.slipstream.data.column.BlockLayout;
import io.slipstream.data.column.Layouts;
import io.slipstream.data.column.SealedColumns;
import io.slipstream.data.column.Table;
import io.slipstream.data.schema.Type;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Stands on a row of a {@link HugeList} and moves without garbage. Not safe for threads; make one for each.
 *
 * <pre>{@code
 * Cursor<Trade> trades = list.cursor();
 * while (trades.next()) {
 *     total += trades.element().quantity();
 * }
 * }</pre>
 *
 * <p>The subclass is generated. What is protected is for it alone: columns are given by where they begin in a block,
 * by how far a value is from the one before, and, for reading, by their numbers.
 *
 * @param <T> the type of the elements
 */
public abstract class Cursor<T> {
    private static final Block NOWHERE = Block.withoutRows();

    /** For how many rows it waits at once: their lines of the cache are few enough to be there still. */
    private static final int ROWS_AT_ONCE = 32;

    private final HugeList<T> list;
    private final Table table;
    private final BlockLayout layout;
    private final int mask;
    private final int shift;
    private Block block = NOWHERE;
    private MemorySegment memory = NOWHERE.memory();

    /** Of the block, if it is sealed. */
    private @Nullable SealedColumns sealed;

    private int index;
    private long row = -1;

    /** What was read only to be in the cache; kept, so that the compiler does not leave the reading out. */
    private int touched;

    /** For the generated subclass. */
    protected Cursor(HugeList<T> list) {
        this.list = list;
        this.table = list.table();
        this.layout = table.layout();
        this.mask = table.rowsPerBlock() - 1;
        this.shift = Integer.numberOfTrailingZeros(table.rowsPerBlock());
    }

    /**
     * Returns the element: for an interface always the same object, which reads and writes the row on which the
     * cursor stands at that time; for a record a new one.
     */
    public abstract T element();

    /** Writes all fields of {@code value} to the row. */
    protected abstract void write(T value);

    /** Returns the row, or -1 before the first call of {@link #next}. */
    public final long row() {
        return row;
    }

    /** Goes to the next row and returns whether there is one. */
    public final boolean next() {
        if (!hasNext()) {
            return false;
        }
        go(row + 1);
        return true;
    }

    /** Returns whether there is a row after the one on which it stands. */
    final boolean hasNext() {
        return row + 1 < table.rows();
    }

    /** Returns the rows that it goes over, which a removal replaces by those that stay. */
    final Table table() {
        return table;
    }

    /**
     * Goes to a row and returns this.
     *
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public final Cursor<T> moveTo(long to) {
        if (to < 0 || to >= table.rows()) {
            throw new IndexOutOfBoundsException("row " + to + " of " + table.rows());
        }
        go(to);
        return this;
    }

    /**
     * Goes to each of {@code rows} in turn and calls {@code action} with the element and its place in {@code rows}. A
     * row of -1, which {@link HugeList#rowsOf} gives for what is not there, is passed over.
     *
     * <p>In a list {@link HugeListBuilder#byRows by rows} this takes less time for rows at random than {@link #moveTo}
     * for each, as it waits for memory once for several of them. In one by columns it takes as long.
     *
     * @throws IndexOutOfBoundsException if there is no such row, before {@code action} is called
     */
    public final void forEach(long[] rows, ObjIntConsumer<? super T> action) {
        long size = table.rows();
        for (int i = 0; i < rows.length; i++) {
            if (rows[i] < Identities.NO_ROW || rows[i] >= size) {
                throw new IndexOutOfBoundsException("row " + rows[i] + " of " + size + ", at place " + i);
            }
        }
        for (int first = 0; first < rows.length; first += ROWS_AT_ONCE) {
            int end = Math.min(rows.length, first + ROWS_AT_ONCE);
            if (!layout.isAlone(0)) {
                touched += table.touch(rows, first, end);
            }
            for (int i = first; i < end; i++) {
                if (rows[i] != Identities.NO_ROW) {
                    go(rows[i]);
                    action.accept(element(), i);
                }
            }
        }
    }

    /** Goes to a row that may be the one after the last, which is being written. */
    final void go(long to) {
        int i = (int) to & mask;
        if (i == 0 || to != row + 1 || block.isReplaced()) {
            enter(table.block((int) (to >>> shift)));
        }
        index = i;
        row = to;
    }

    private void enter(Block there) {
        block = there;
        memory = there.memory();
        sealed = there.sealed();
    }

    /** Goes on with the block that took the place of the one whose memory threw, or throws it again. */
    private void follow(IllegalStateException thrown) {
        enter(table.successor((int) (row >>> shift), block, thrown));
    }

    /** Leaves the row, which is no more; writing throws until it goes to another one. */
    final void leave() {
        enter(NOWHERE);
        row = -1;
    }

    /** Before a change: what a checksum covers is covered no longer. */
    private void change() {
        if (index < block.watchedRows()) {
            announce();
        }
    }

    /** Before a change of a row that a checksum covers, or of one in a block that is sealed or was replaced. */
    private void announce() {
        if (block == NOWHERE) {
            throw new NullPointerException(
                    "there is no row: next() was not called, or the element was refused and is gone");
        }
        list.requireWritable();
        int number = (int) (row >>> shift);
        table.block(number).requireNotHeld(index);
        Block there = table.unsealed(number);
        enter(there);
        if (index < there.watchedRows()) {
            there.beforeChange(index);
        }
    }

    /** Reads a column once more, in the block that took the place of the one whose memory threw. */
    private long again(IllegalStateException thrown, int column) {
        follow(thrown);
        return readBits(column);
    }

    /** Reads a column of a sealed block, or of the one that the owner changed and that is in its place. */
    private long sealedBits(int column) {
        if (block.isReplaced()) {
            enter(table.block((int) (row >>> shift)));
            return readBits(column);
        }
        return Objects.requireNonNull(sealed).bits(memory, column, index);
    }

    private long address(int offset, int step) {
        return offset + (long) index * step;
    }

    /** Reads one bit. */
    protected final boolean readBit(int offset, int step, int column) {
        try {
            return sealed == null ? BlockLayout.bit(memory, offset, step, index) : sealedBits(column) != 0;
        } catch (IllegalStateException e) {
            return again(e, column) != 0;
        }
    }

    /** Reads one byte. */
    protected final byte readByte(int offset, int step, int column) {
        try {
            return sealed == null ? memory.get(Layouts.BYTE, address(offset, step)) : (byte) sealedBits(column);
        } catch (IllegalStateException e) {
            return (byte) again(e, column);
        }
    }

    /** Reads two bytes. */
    protected final short readShort(int offset, int step, int column) {
        try {
            return sealed == null ? memory.get(Layouts.SHORT, address(offset, step)) : (short) sealedBits(column);
        } catch (IllegalStateException e) {
            return (short) again(e, column);
        }
    }

    /** Reads two bytes. */
    protected final char readChar(int offset, int step, int column) {
        try {
            return sealed == null ? memory.get(Layouts.CHAR, address(offset, step)) : (char) sealedBits(column);
        } catch (IllegalStateException e) {
            return (char) again(e, column);
        }
    }

    /** Reads four bytes. */
    protected final int readInt(int offset, int step, int column) {
        try {
            return sealed == null ? memory.get(Layouts.INT, address(offset, step)) : (int) sealedBits(column);
        } catch (IllegalStateException e) {
            return (int) again(e, column);
        }
    }

    /** Reads eight bytes. */
    protected final long readLong(int offset, int step, int column) {
        try {
            return sealed == null ? memory.get(Layouts.LONG, address(offset, step)) : sealedBits(column);
        } catch (IllegalStateException e) {
            return again(e, column);
        }
    }

    /** Reads four bytes. */
    protected final float readFloat(int offset, int step, int column) {
        try {
            return sealed == null
                    ? memory.get(Layouts.FLOAT, address(offset, step))
                    : Float.intBitsToFloat((int) sealedBits(column));
        } catch (IllegalStateException e) {
            return Float.intBitsToFloat((int) again(e, column));
        }
    }

    /** Reads eight bytes. */
    protected final double readDouble(int offset, int step, int column) {
        try {
            return sealed == null
                    ? memory.get(Layouts.DOUBLE, address(offset, step))
                    : Double.longBitsToDouble(sealedBits(column));
        } catch (IllegalStateException e) {
            return Double.longBitsToDouble(again(e, column));
        }
    }

    /** Reads a text by its code. */
    protected final @Nullable String readText(int offset, int step, int field) {
        return list.text(field, readInt(offset, step, list.column(field).first()));
    }

    /** Reads an enum constant by its number in one byte. */
    protected final Object readSmallEnum(int offset, int step, int field) {
        return list.constants(field)[readByte(offset, step, list.column(field).first()) & 0xff];
    }

    /** Reads any other value. */
    protected final @Nullable Object readObject(int field) {
        Column column = list.column(field);
        if (column.shown() != Column.NONE && !isSet(column.shown())) {
            return null;
        }
        long low = column.widths().size() == 2 ? readBits(column.first() + 1) : 0;
        return list.values(field).decode(readBits(column.first()), low);
    }

    /** Returns the value of a field as an object, a text included; null if it is absent. */
    final @Nullable Object readValue(int field) {
        Column column = list.column(field);
        if (!(column.type() instanceof Type.Text)) {
            return readObject(field);
        }
        if (column.around() != Column.NONE && !isSet(column.around())) {
            return null;
        }
        String text = list.text(field, (int) readBits(column.first()));
        return column.isTextOrNone() ? text : textOrEmpty(text);
    }

    /** Writes the value of a field as an object, a text included, and claims an identity before. */
    final void writeValue(int field, @Nullable Object value) {
        Column column = list.column(field);
        boolean isText = column.type() instanceof Type.Text;
        if (list.isIdentity(field)) {
            if (isText) {
                claimText(field, (String) value);
            } else if (value != null) {
                claimLong(list.values(field).encode(value));
            }
        }
        if (isText) {
            writeBits(column.first(), list.code(field, (String) value, row));
        } else {
            writeObject(field, value);
        }
    }

    /** Says that nested records are there, by the columns that tell it. */
    final void showRecords(List<Integer> presences) {
        for (int presence : presences) {
            writeBits(presence, 1);
        }
    }

    /** Returns whether nested records are there. */
    final boolean hasRecords(List<Integer> presences) {
        for (int presence : presences) {
            if (!isSet(presence)) {
                return false;
            }
        }
        return true;
    }

    /** Returns what {@code value} is where null cannot be. */
    protected final @Nullable String textOrEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }

    /** Returns the identity of a row, which may be the one after the last. */
    final long keyOf(long of, Column identity) {
        go(of);
        return readBits(identity.first());
    }

    private boolean isSet(int column) {
        return readBit(layout.offset(column), layout.step(column), column);
    }

    /** Reads a column by its number. */
    private long readBits(int column) {
        int offset = layout.offset(column);
        int step = layout.step(column);
        return switch (layout.width(column)) {
            case BIT -> readBit(offset, step, column) ? 1 : 0;
            case BYTE -> readByte(offset, step, column);
            case UNSIGNED_BYTE -> readByte(offset, step, column) & 0xff;
            case SHORT -> readShort(offset, step, column);
            case CHAR -> readChar(offset, step, column);
            case INT, FLOAT -> readInt(offset, step, column);
            case LONG, DOUBLE -> readLong(offset, step, column);
        };
    }

    /** Writes one bit. */
    protected final void writeBit(int offset, int step, boolean value) {
        change();
        if (step != BlockLayout.PACKED) {
            memory.set(Layouts.BYTE, address(offset, step), (byte) (value ? 1 : 0));
            return;
        }
        long at = offset + (index >>> 3);
        int bit = 1 << (index & 7);
        int bits = memory.get(Layouts.BYTE, at);
        memory.set(Layouts.BYTE, at, (byte) (value ? bits | bit : bits & ~bit));
    }

    /** Writes one byte. */
    protected final void writeByte(int offset, int step, byte value) {
        change();
        memory.set(Layouts.BYTE, address(offset, step), value);
    }

    /** Writes two bytes. */
    protected final void writeShort(int offset, int step, short value) {
        change();
        memory.set(Layouts.SHORT, address(offset, step), value);
    }

    /** Writes two bytes. */
    protected final void writeChar(int offset, int step, char value) {
        change();
        memory.set(Layouts.CHAR, address(offset, step), value);
    }

    /** Writes four bytes. */
    protected final void writeInt(int offset, int step, int value) {
        change();
        memory.set(Layouts.INT, address(offset, step), value);
    }

    /** Writes eight bytes. */
    protected final void writeLong(int offset, int step, long value) {
        change();
        memory.set(Layouts.LONG, address(offset, step), value);
    }

    /** Writes four bytes. */
    protected final void writeFloat(int offset, int step, float value) {
        change();
        memory.set(Layouts.FLOAT, address(offset, step), value);
    }

    /** Writes eight bytes. */
    protected final void writeDouble(int offset, int step, double value) {
        change();
        memory.set(Layouts.DOUBLE, address(offset, step), value);
    }

    /** Writes the code of a text. */
    protected final void writeText(int offset, int step, int field, @Nullable String value) {
        writeInt(offset, step, list.code(field, value, row));
    }

    /** Writes the number of an enum constant in one byte. */
    protected final void writeSmallEnum(int offset, int step, int field, @Nullable Enum<?> value) {
        if (value == null) {
            throw new NullPointerException(list.values(field).refusal(null));
        }
        writeByte(offset, step, (byte) value.ordinal());
    }

    /** Writes any other value. */
    protected final void writeObject(int field, @Nullable Object value) {
        Column column = list.column(field);
        Values values = list.values(field);
        if (value == null && column.presence() == Column.NONE) {
            throw new NullPointerException(values.refusal(null));
        }
        long bits = value == null ? 0 : values.encode(value);
        if (column.presence() != Column.NONE) {
            writeBits(column.presence(), value == null ? 0 : 1);
        }
        writeBits(column.first(), bits);
        if (column.widths().size() == 2) {
            writeBits(column.first() + 1, value == null ? 0 : values.encodeLow(value));
        }
    }

    /**
     * Before the fields of a nested record that may be absent are written; returns whether it is there. If it is not,
     * all of its columns, from {@code first}, which says that, to before {@code end}, are zero.
     */
    protected final boolean beginRecord(int first, int end, @Nullable Object value) {
        if (value == null) {
            clear(first, end);
            return false;
        }
        writeBits(first, 1);
        return true;
    }

    /** Refuses a nested record that must be there and is not. */
    protected final void requireRecord(@Nullable Object value, String name) {
        if (value == null) {
            throw new NullPointerException(list.schema().name() + "." + name + ": there is no column value for null; "
                    + "make the field optional, or set it");
        }
    }

    /** Before the identity of a row is set. */
    protected final void claimLong(long key) {
        list.identities().claim(key, row);
    }

    /** Before the identity of a row is set to a text. */
    protected final void claimText(int field, @Nullable String key) {
        list.identities().claim(list.code(field, key, row), row);
    }

    /** After a setter threw: a row that is being appended was never there. */
    protected final void refused() {
        list.refused(this);
    }

    /** Returns what the row has in the columns from {@code first} to before {@code end}. */
    protected final long[] save(int first, int end) {
        long[] saved = new long[end - first];
        for (int i = first; i < end; i++) {
            saved[i - first] = readBits(i);
        }
        return saved;
    }

    /** Writes back what {@link #save} returned. */
    protected final void restore(int first, long[] saved) {
        list.requireWritable();
        for (int i = 0; i < saved.length; i++) {
            writeBits(first + i, saved[i]);
        }
    }

    /** Writes an element over that of the row; if that throws, the row is as before. */
    final void overwrite(T element) {
        long[] former = save(0, layout.columns());
        try {
            write(element);
        } catch (Throwable e) {
            restore(0, former);
            throw e;
        }
    }

    /** Writes a column by its number. */
    private void writeBits(int column, long bits) {
        int offset = layout.offset(column);
        int step = layout.step(column);
        switch (layout.width(column)) {
            case BIT -> writeBit(offset, step, bits != 0);
            case BYTE, UNSIGNED_BYTE -> writeByte(offset, step, (byte) bits);
            case SHORT -> writeShort(offset, step, (short) bits);
            case CHAR -> writeChar(offset, step, (char) bits);
            case INT, FLOAT -> writeInt(offset, step, (int) bits);
            case LONG, DOUBLE -> writeLong(offset, step, bits);
        }
    }

    /** Writes zeros to the row, as bits of a former attempt may stand there. */
    final void clear() {
        clear(0, layout.columns());
    }

    private void clear(int first, int end) {
        for (int i = first; i < end; i++) {
            writeBits(i, 0);
        }
    }

    @Override
    public String toString() {
        return row < 0 ? "before the first row" : list.describe(this);
    }
}
