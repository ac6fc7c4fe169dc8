package io.slipstream.data.list;

import io.slipstream.data.arrow.ArrowBatch;
import io.slipstream.data.arrow.ArrowField;
import io.slipstream.data.arrow.ArrowOutput;
import io.slipstream.data.arrow.ArrowType;
import io.slipstream.data.column.Block;
import io.slipstream.data.column.BlockLayout;
import io.slipstream.data.column.Layouts;
import io.slipstream.data.column.SealedColumns;
import io.slipstream.data.column.Table;
import io.slipstream.data.schema.Type;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stands on some rows of a list, all of one block, and makes columns of Arrow of them. What lies in the list as it does
 * in Arrow is not copied; all else is put into memory that is used again for the next rows. For one thread.
 */
final class ArrowColumns implements AutoCloseable {
    private static final byte[] NO_TEXT = {};
    private static final int KEPT_TEXTS = 1 << 12;
    private static final int KEPT_BYTES = 64;

    private final HugeList<?> list;
    private final Table table;
    private final BlockLayout layout;
    private final int maxRows;
    private final int maxTextBytes;
    private final Arena arena = Arena.ofConfined();
    private final List<ArrowColumn> columns;
    private final List<ArrowText> texts = new ArrayList<>();
    private final List<Type.Enumeration> enums = new ArrayList<>();
    private MemorySegment block = MemorySegment.NULL;

    /** Whose memory, or values, {@link #block} has. */
    private @Nullable Block pinned;

    /** For the values of a sealed block. */
    private MemorySegment unsealed = MemorySegment.NULL;

    private int index;
    private int rows;

    ArrowColumns(HugeList<?> list, int maxRows, int maxTextBytes) {
        this.list = list;
        this.table = list.table();
        this.layout = table.layout();
        this.maxRows = Math.min(maxRows, table.rowsPerBlock());
        this.maxTextBytes = maxTextBytes;
        this.columns = columns(new Columns(list.schema()).fields(), Column.NONE);
    }

    /** Returns how many rows there are. */
    long size() {
        return table.rows();
    }

    List<ArrowField> fields() {
        return columns.stream().map(ArrowColumn::field).toList();
    }

    /** Writes the constants of the enums. */
    void writeDictionaries(ArrowOutput out) throws IOException {
        for (int id = 0; id < enums.size(); id++) {
            List<String> constants = enums.get(id).constants();
            try (Arena own = Arena.ofConfined()) {
                ArrowTexts written = new ArrowTexts(own, constants.size());
                constants.forEach(constant -> written.add(constant.getBytes(StandardCharsets.UTF_8)));
                ArrowBatch batch = new ArrowBatch(constants.size());
                batch.column(0);
                batch.noBuffer();
                written.addTo(batch, constants.size());
                out.dictionary(id, batch);
            }
        }
    }

    /** Goes to a row; returns how many from there on, but below {@code end}, are in the batch. */
    int moveTo(long row, long end) {
        enter((int) (row / table.rowsPerBlock()));
        index = (int) row & table.rowsPerBlock() - 1;
        rows = (int) Math.min(Math.min(maxRows, table.rowsPerBlock() - index), end - row);
        for (ArrowText text : texts) {
            rows = text.read(rows);
        }
        return rows;
    }

    /** Keeps the memory of a block until the rows of it are written. */
    private void enter(int number) {
        Block former = pinned;
        Block next = table.pinned(number);
        pinned = next;
        if (former != null) {
            former.unpin();
        }
        SealedColumns sealed = next.sealed();
        if (sealed == null) {
            block = next.memory();
        } else if (next != former) {
            if (unsealed.byteSize() == 0) {
                unsealed = arena.allocate(layout.bytes(), Long.BYTES);
            }
            sealed.decode(layout, next.memory(), unsealed);
            block = unsealed;
        }
    }

    /** Adds the rows. */
    void addTo(ArrowBatch batch) {
        columns.forEach(column -> column.addTo(batch));
    }

    @Override
    public void close() {
        if (pinned != null) {
            pinned.unpin();
            pinned = null;
        }
        arena.close();
    }

    /** {@code around} is the number of the column that says whether there is the record around them, or -1. */
    private List<ArrowColumn> columns(List<Columns.Node> nodes, int around) {
        List<ArrowColumn> all = new ArrayList<>();
        for (Columns.Node node : nodes) {
            all.add(
                    switch (node) {
                        case Columns.Leaf(var _, int number) -> leaf(number);
                        case Columns.Group group ->
                            new Nested(group, group.presence() == Column.NONE ? around : group.presence());
                    });
        }
        return all;
    }

    private ArrowColumn leaf(int number) {
        Column column = list.column(number);
        int first = column.first();
        return switch (column.type()) {
            case Type.Scalar scalar ->
                switch (scalar) {
                    case BOOLEAN -> new Booleans(column);
                    case BYTE -> plain(column, ArrowType.integer(8, true), Byte.BYTES);
                    case SHORT -> plain(column, ArrowType.integer(16, true), Short.BYTES);
                    case CHAR -> plain(column, ArrowType.integer(16, false), Character.BYTES);
                    case INT -> plain(column, ArrowType.integer(32, true), Integer.BYTES);
                    case LONG -> plain(column, ArrowType.integer(64, true), Long.BYTES);
                    case FLOAT -> plain(column, ArrowType.floating(), Float.BYTES);
                    case DOUBLE -> plain(column, ArrowType.doubles(), Double.BYTES);
                    case INSTANT -> plain(column, ArrowType.instant(), Long.BYTES);
                    case DURATION -> plain(column, ArrowType.duration(), Long.BYTES);
                    case DATE -> plain(column, ArrowType.date(), Integer.BYTES);
                    case UUID ->
                        new Converted(column, ArrowType.uuid(), 16, (to, i) -> {
                            to.set(Layouts.LONG, 16L * i, Long.reverseBytes(longAt(first, i)));
                            to.set(Layouts.LONG, 16L * i + 8, Long.reverseBytes(longAt(first + 1, i)));
                        });
                };
            case Type.Decimal(int scale) ->
                new Converted(column, ArrowType.decimal(scale), 16, (to, i) -> {
                    long mantissa = longAt(first, i);
                    to.set(Layouts.LONG, 16L * i, mantissa);
                    to.set(Layouts.LONG, 16L * i + 8, mantissa >> 63);
                });
            case Type.Enumeration e -> enumeration(column, e);
            case Type.Text _ -> {
                ArrowText text = new ArrowText(column, number);
                texts.add(text);
                yield text;
            }
            default -> throw new IllegalStateException(column.name());
        };
    }

    /** Returns a column whose values are as in Arrow: they are copied only where they lie apart. */
    private ArrowColumn plain(Column column, ArrowType type, int width) {
        int first = column.first();
        return layout.isAlone(first)
                ? new Plain(column, type, width)
                : new Converted(
                        column,
                        type,
                        width,
                        (to, i) -> MemorySegment.copy(block, address(first, i), to, (long) width * i, width));
    }

    private ArrowColumn enumeration(Column column, Type.Enumeration type) {
        long id = enums.size();
        enums.add(type);
        int constants = type.constants().size();
        // The indexes are signed, as not every reader knows unsigned ones.
        if (constants <= Byte.MAX_VALUE + 1) {
            return plain(column, ArrowType.dictionary(id, 8), Byte.BYTES);
        }
        boolean isWide = constants > 256;
        return new Converted(column, ArrowType.dictionary(id, 32), Integer.BYTES, (to, i) -> {
            long at = address(column.first(), i);
            int constant = isWide ? block.get(Layouts.CHAR, at) : block.get(Layouts.BYTE, at) & 0xff;
            to.set(Layouts.INT, (long) Integer.BYTES * i, constant);
        });
    }

    private long address(int column, int i) {
        return layout.address(column, index + i);
    }

    private long longAt(int column, int i) {
        return block.get(Layouts.LONG, address(column, i));
    }

    private boolean bitAt(int column, int i) {
        return layout.bit(block, column, index + i);
    }

    /** Copies the bits of the rows, zeros after them, and returns how many of them are 1. */
    private int copyBits(int column, MemorySegment to) {
        int ones = 0;
        for (int i = 0; i < rows; i += Long.SIZE) {
            long bits = layout.step(column) == BlockLayout.PACKED ? packedBits(column, i) : gatheredBits(column, i);
            if (rows - i < Long.SIZE) {
                bits &= (1L << rows) - 1;
            }
            to.set(Layouts.LONG, i >>> 3, bits);
            ones += Long.bitCount(bits);
        }
        return ones;
    }

    /** Returns the bits of 64 rows from {@code i} on; behind the end of the block they are any. */
    private long packedBits(int column, int i) {
        long offset = layout.offset(column);
        int at = index + i;
        int word = at >>> 6;
        long bits = block.get(Layouts.LONG, offset + ((long) word << 3)) >>> at;
        boolean isLast = word == (layout.rowsPerBlock() >>> 6) - 1;
        return (at & 63) == 0 || isLast ? bits : bits | block.get(Layouts.LONG, offset + (word + 1L << 3)) << -at;
    }

    private long gatheredBits(int column, int from) {
        long bits = 0;
        for (int i = from; i < Math.min(rows, from + Long.SIZE); i++) {
            bits |= bitAt(column, i) ? 1L << i : 0;
        }
        return bits;
    }

    private static long bitBytes(int rows) {
        return rows + 7L >>> 3;
    }

    private MemorySegment newBits() {
        return arena.allocate(maxRows + 63L >>> 6 << 3, Long.BYTES);
    }

    /** A field of the elements, or of a nested record. */
    private abstract class ArrowColumn {
        private final String name;
        private final ArrowType type;
        private final int presence;
        private final MemorySegment validity;

        /** {@code presence} is the number of the column that says which rows have a value, or -1. */
        ArrowColumn(String name, ArrowType type, int presence) {
            this.name = name;
            this.type = type;
            this.presence = presence;
            this.validity = presence == Column.NONE ? MemorySegment.NULL : newBits();
        }

        ArrowColumn(Column column, ArrowType type) {
            this(column.property().name(), type, column.shown());
        }

        ArrowField field() {
            return new ArrowField(name, isNullable(), type, children());
        }

        boolean isNullable() {
            return presence != Column.NONE;
        }

        List<ArrowField> children() {
            return List.of();
        }

        void addTo(ArrowBatch batch) {
            int values = presence == Column.NONE ? rows : copyBits(presence, validity);
            addValidity(batch, validity, rows - values);
            addValues(batch);
        }

        final void addValidity(ArrowBatch batch, MemorySegment bits, int nulls) {
            batch.column(nulls);
            if (nulls == 0) {
                batch.noBuffer();
            } else {
                batch.buffer(bits.asSlice(0, bitBytes(rows)));
            }
        }

        abstract void addValues(ArrowBatch batch);
    }

    /** Values that lie in the list as in Arrow. */
    private final class Plain extends ArrowColumn {
        private final int column;
        private final int width;

        Plain(Column column, ArrowType type, int width) {
            super(column, type);
            this.column = column.first();
            this.width = width;
        }

        @Override
        void addValues(ArrowBatch batch) {
            batch.buffer(block.asSlice(address(column, 0), (long) width * rows));
        }
    }

    private final class Booleans extends ArrowColumn {
        private final int column;
        private final MemorySegment bits = newBits();

        Booleans(Column column) {
            super(column, ArrowType.bool());
            this.column = column.first();
        }

        @Override
        void addValues(ArrowBatch batch) {
            copyBits(column, bits);
            batch.buffer(bits.asSlice(0, bitBytes(rows)));
        }
    }

    /** Writes what Arrow has for the value of a row. */
    private interface Conversion {
        void write(MemorySegment to, int i);
    }

    /** Values that Arrow has in another form. */
    private final class Converted extends ArrowColumn {
        private final int width;
        private final Conversion conversion;
        private final MemorySegment values;

        Converted(Column column, ArrowType type, int width, Conversion conversion) {
            super(column, type);
            this.width = width;
            this.conversion = conversion;
            this.values = arena.allocate((long) width * maxRows, Long.BYTES);
        }

        @Override
        void addValues(ArrowBatch batch) {
            for (int i = 0; i < rows; i++) {
                conversion.write(values, i);
            }
            batch.buffer(values.asSlice(0, (long) width * rows));
        }
    }

    /** A text, which is read first, as its length decides how many rows the batch has. */
    private final class ArrowText extends ArrowColumn {
        private final Column column;
        private final int number;
        private final ArrowTexts written = new ArrowTexts(arena, maxRows);

        /** Short texts by their codes, as few distinct ones are in many rows. */
        private final byte[][] encoded = new byte[KEPT_TEXTS][];

        ArrowText(Column column, int number) {
            super(column, ArrowType.text());
            this.column = column;
            this.number = number;
        }

        @Override
        boolean isNullable() {
            return super.isNullable() || column.isTextOrNone();
        }

        /** Reads up to {@code most} rows; returns how many there was room for. */
        int read(int most) {
            int around = column.around();
            written.clear();
            for (int i = 0; i < most; i++) {
                int code = block.get(Layouts.INT, address(column.first(), i));
                boolean isThere = (around == Column.NONE || bitAt(around, i)) && (code != 0 || !column.isTextOrNone());
                if (!isThere) {
                    written.addNull();
                } else {
                    if (!written.addWithin(maxTextBytes, utf8(code))) {
                        return i;
                    }
                }
            }
            return most;
        }

        private byte[] utf8(int code) {
            byte[] known = code < encoded.length ? encoded[code] : null;
            if (known != null) {
                return known;
            }
            String text = list.text(number, code);
            byte[] utf8 = text == null ? NO_TEXT : text.getBytes(StandardCharsets.UTF_8);
            if (code < encoded.length && utf8.length <= KEPT_BYTES) {
                encoded[code] = utf8;
            }
            return utf8;
        }

        @Override
        void addTo(ArrowBatch batch) {
            addValidity(batch, written.validity(), written.nulls(rows));
            addValues(batch);
        }

        @Override
        void addValues(ArrowBatch batch) {
            written.addTo(batch, rows);
        }
    }

    /** A nested record. */
    private final class Nested extends ArrowColumn {
        private final List<ArrowColumn> fields;

        Nested(Columns.Group group, int shown) {
            super(group.property().name(), ArrowType.struct(), shown);
            this.fields = columns(group.fields(), shown);
        }

        @Override
        List<ArrowField> children() {
            return fields.stream().map(ArrowColumn::field).toList();
        }

        @Override
        void addValues(ArrowBatch batch) {
            fields.forEach(field -> field.addTo(batch));
        }
    }
}
