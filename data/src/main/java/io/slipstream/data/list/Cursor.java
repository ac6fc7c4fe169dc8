package io.slipstream.data.list;

import io.slipstream.data.column.Block;
import io.slipstream.data.column.Layouts;
import io.slipstream.data.column.Table;
import io.slipstream.data.column.Width;
import io.slipstream.data.schema.Type;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
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
 * <p>The subclass is generated. What is protected is for it alone: columns are given by where they begin in a block.
 *
 * @param <T> the type of the elements
 */
public abstract class Cursor<T> {
    private static final MemorySegment NOWHERE = MemorySegment.NULL;

    private final HugeList<T> list;
    private final Table table;
    private final int mask;
    private final int shift;
    private MemorySegment memory = NOWHERE;
    private @Nullable Block block;
    private int index;
    private long row = -1;

    /** For the generated subclass. */
    protected Cursor(HugeList<T> list) {
        this.list = list;
        this.table = list.table();
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

    /** Goes to a row that may be the one after the last, which is being written. */
    final void go(long to) {
        int i = (int) to & mask;
        if (i == 0 || to != row + 1) {
            Block there = table.block((int) (to >>> shift));
            block = there;
            memory = there.memory();
        }
        index = i;
        row = to;
    }

    /** Leaves the row, which is no more; writing throws until it goes to another one. */
    final void leave() {
        memory = NOWHERE;
        block = null;
        row = -1;
    }

    /** Before a change: what a checksum covers is covered no longer. */
    private void change() {
        Block there = Objects.requireNonNull(
                block, "there is no row: next() was not called, or the element was refused and is gone");
        if (index < there.watchedRows()) {
            there.beforeChange(index);
        }
    }

    /** Reads one bit. */
    protected final boolean readBit(int column) {
        return (memory.get(Layouts.BYTE, column + (index >>> 3)) >>> (index & 7) & 1) != 0;
    }

    /** Reads one byte. */
    protected final byte readByte(int column) {
        return memory.get(Layouts.BYTE, (long) column + index);
    }

    /** Reads two bytes. */
    protected final short readShort(int column) {
        return memory.get(Layouts.SHORT, column + ((long) index << 1));
    }

    /** Reads two bytes. */
    protected final char readChar(int column) {
        return memory.get(Layouts.CHAR, column + ((long) index << 1));
    }

    /** Reads four bytes. */
    protected final int readInt(int column) {
        return memory.get(Layouts.INT, column + ((long) index << 2));
    }

    /** Reads eight bytes. */
    protected final long readLong(int column) {
        return memory.get(Layouts.LONG, column + ((long) index << 3));
    }

    /** Reads four bytes. */
    protected final float readFloat(int column) {
        return memory.get(Layouts.FLOAT, column + ((long) index << 2));
    }

    /** Reads eight bytes. */
    protected final double readDouble(int column) {
        return memory.get(Layouts.DOUBLE, column + ((long) index << 3));
    }

    /** Reads a text by its code. */
    protected final @Nullable String readText(int column, int field) {
        return list.text(field, readInt(column));
    }

    /** Reads an enum constant by its number in one byte. */
    protected final Object readSmallEnum(int column, int field) {
        return list.constants(field)[readByte(column) & 0xff];
    }

    /** Reads any other value. */
    protected final @Nullable Object readObject(int field) {
        Column column = list.column(field);
        if (column.shown() != Column.NONE && !readBit(table.offset(column.shown()))) {
            return null;
        }
        long low = column.widths().size() == 2 ? readLong(table.offset(column.first() + 1)) : 0;
        return list.values(field).decode(readBits(column.widths().getFirst(), table.offset(column.first())), low);
    }

    /** Returns the value of a field as an object, a text included; null if it is absent. */
    final @Nullable Object readValue(int field) {
        Column column = list.column(field);
        if (!(column.type() instanceof Type.Text)) {
            return readObject(field);
        }
        if (column.around() != Column.NONE && !readBit(table.offset(column.around()))) {
            return null;
        }
        String text = readText(table.offset(column.first()), field);
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
            writeText(table.offset(column.first()), field, (String) value);
        } else {
            writeObject(field, value);
        }
    }

    /** Says that nested records are there, by the columns that tell it. */
    final void showRecords(List<Integer> presences) {
        for (int presence : presences) {
            writeBit(table.offset(presence), true);
        }
    }

    /** Returns whether nested records are there. */
    final boolean hasRecords(List<Integer> presences) {
        for (int presence : presences) {
            if (!readBit(table.offset(presence))) {
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
        return readBits(identity.widths().getFirst(), table.offset(identity.first()));
    }

    private long readBits(Width width, int column) {
        return switch (width) {
            case BIT -> readBit(column) ? 1 : 0;
            case BYTE -> readByte(column);
            case UNSIGNED_BYTE -> readByte(column) & 0xff;
            case SHORT -> readShort(column);
            case CHAR -> readChar(column);
            case INT, FLOAT -> readInt(column);
            case LONG, DOUBLE -> readLong(column);
        };
    }

    /** Writes one bit. */
    protected final void writeBit(int column, boolean value) {
        change();
        long at = column + (index >>> 3);
        int bit = 1 << (index & 7);
        int bits = memory.get(Layouts.BYTE, at);
        memory.set(Layouts.BYTE, at, (byte) (value ? bits | bit : bits & ~bit));
    }

    /** Writes one byte. */
    protected final void writeByte(int column, byte value) {
        change();
        memory.set(Layouts.BYTE, (long) column + index, value);
    }

    /** Writes two bytes. */
    protected final void writeShort(int column, short value) {
        change();
        memory.set(Layouts.SHORT, column + ((long) index << 1), value);
    }

    /** Writes two bytes. */
    protected final void writeChar(int column, char value) {
        change();
        memory.set(Layouts.CHAR, column + ((long) index << 1), value);
    }

    /** Writes four bytes. */
    protected final void writeInt(int column, int value) {
        change();
        memory.set(Layouts.INT, column + ((long) index << 2), value);
    }

    /** Writes eight bytes. */
    protected final void writeLong(int column, long value) {
        change();
        memory.set(Layouts.LONG, column + ((long) index << 3), value);
    }

    /** Writes four bytes. */
    protected final void writeFloat(int column, float value) {
        change();
        memory.set(Layouts.FLOAT, column + ((long) index << 2), value);
    }

    /** Writes eight bytes. */
    protected final void writeDouble(int column, double value) {
        change();
        memory.set(Layouts.DOUBLE, column + ((long) index << 3), value);
    }

    /** Writes the code of a text. */
    protected final void writeText(int column, int field, @Nullable String value) {
        writeInt(column, list.code(field, value, row));
    }

    /** Writes the number of an enum constant in one byte. */
    protected final void writeSmallEnum(int column, int field, @Nullable Enum<?> value) {
        if (value == null) {
            throw new NullPointerException(list.values(field).refusal(null));
        }
        writeByte(column, (byte) value.ordinal());
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
            writeBit(table.offset(column.presence()), value != null);
        }
        writeBits(column.widths().getFirst(), table.offset(column.first()), bits);
        if (column.widths().size() == 2) {
            writeLong(table.offset(column.first() + 1), value == null ? 0 : values.encodeLow(value));
        }
    }

    /**
     * Before the fields of a nested record that may be absent are written; returns whether it is there. If it is not,
     * all of its columns, from {@code first} to before {@code end}, are zero.
     */
    protected final boolean beginRecord(int presence, int first, int end, @Nullable Object value) {
        if (value == null) {
            clear(first, end);
            return false;
        }
        writeBit(presence, true);
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
            saved[i - first] = readBits(table.width(i), table.offset(i));
        }
        return saved;
    }

    /** Writes back what {@link #save} returned. */
    protected final void restore(int first, long[] saved) {
        list.requireWritable();
        for (int i = 0; i < saved.length; i++) {
            writeBits(table.width(first + i), table.offset(first + i), saved[i]);
        }
    }

    /** Writes an element over that of the row; if that throws, the row is as before. */
    final void overwrite(T element) {
        long[] former = save(0, table.columns());
        try {
            write(element);
        } catch (Throwable e) {
            restore(0, former);
            throw e;
        }
    }

    private void writeBits(Width width, int column, long bits) {
        switch (width) {
            case BIT -> writeBit(column, bits != 0);
            case BYTE, UNSIGNED_BYTE -> writeByte(column, (byte) bits);
            case SHORT -> writeShort(column, (short) bits);
            case CHAR -> writeChar(column, (char) bits);
            case INT, FLOAT -> writeInt(column, (int) bits);
            case LONG, DOUBLE -> writeLong(column, bits);
        }
    }

    /** Writes zeros to the row, as bits of a former attempt may stand there. */
    final void clear() {
        clear(0, table.columns());
    }

    private void clear(int first, int end) {
        for (int i = first; i < end; i++) {
            writeBits(table.width(i), table.offset(i), 0);
        }
    }

    @Override
    public String toString() {
        return row < 0 ? "before the first row" : list.describe(this);
    }
}
