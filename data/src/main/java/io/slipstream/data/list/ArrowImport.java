package io.slipstream.data.list;

import io.slipstream.data.arrow.ArrowInput;
import io.slipstream.data.arrow.ArrowVector;
import io.slipstream.data.arrow.ArrowVector.Kind;
import io.slipstream.data.schema.Type;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Adds the rows of Arrow to a list: finds a column for each field and checks their types, and then row by row. */
final class ArrowImport {
    private static final int NO_GROUP = -1;
    private static final long DAY_MILLIS = 86_400_000;
    private static final long NANOS = 1_000_000_000;

    private final HugeList<?> list;
    private final ArrowInput in;
    private final List<Group> groups = new ArrayList<>();
    private final List<Leaf> leaves = new ArrayList<>();
    private boolean[] isThere = new boolean[0];
    private long rows;
    private int row;

    /** What a row of a column is in Java. */
    private interface Reading {
        Object of(ArrowVector column, int row) throws IOException;
    }

    /**
     * A nested record.
     *
     * @param around the number of that which it is in, or -1
     * @param presence the columns of the list that say whether there is one; none if there must be
     */
    private record Group(String name, ArrowVector column, int around, List<Integer> presence) {}

    /** A field with a value. {@code group} is the number of the record that it is in, or -1. */
    private record Leaf(Column field, int number, ArrowVector column, int group, Reading reading) {}

    /**
     * Finds the columns.
     *
     * @throws IllegalArgumentException if the schema does not fit the list: the message names the column
     */
    ArrowImport(HugeList<?> list, ArrowInput from) {
        this.list = list;
        this.in = from;
        match(new Columns(list.schema()).fields(), in.columns(), "", NO_GROUP);
        this.isThere = new boolean[groups.size()];
    }

    private void match(List<Columns.Node> fields, List<ArrowVector> columns, String prefix, int around) {
        Map<String, ArrowVector> byName = new HashMap<>();
        Set<String> names = new HashSet<>();
        fields.forEach(field -> names.add(field.property().name()));
        for (ArrowVector column : columns) {
            String name = prefix + column.name();
            if (!names.contains(column.name())) {
                throw new IllegalArgumentException(
                        "there is a column '" + name + "', but " + list.schema().name()
                                + " has "
                                + fields.stream()
                                        .map(field -> prefix + field.property().name())
                                        .toList());
            }
            if (byName.put(column.name(), column) != null) {
                throw new IllegalArgumentException("there are two columns '" + name + "'");
            }
        }
        for (Columns.Node field : fields) {
            ArrowVector column = byName.get(field.property().name());
            switch (field) {
                case Columns.Leaf(var _, int number) -> {
                    if (column != null) {
                        Column to = list.column(number);
                        leaves.add(new Leaf(to, number, column, around, reading(to, column)));
                    } else {
                        requireLacking(list.column(number), list.isIdentity(number));
                    }
                }
                case Columns.Group group -> match(group, column, around);
            }
        }
    }

    private void match(Columns.Group group, @Nullable ArrowVector column, int around) {
        boolean isOptional = group.presence() != Column.NONE;
        if (column == null) {
            if (!isOptional) {
                throw new IllegalArgumentException("there is no column '" + group.name() + "', which is not optional");
            }
            return;
        }
        if (column.kind() != Kind.STRUCT) {
            throw wrongType(group.name(), column, "a nested record, which takes struct");
        }
        groups.add(new Group(group.name(), column, around, isOptional ? List.of(group.presence()) : List.of()));
        match(group.fields(), column.children(), group.name() + ".", groups.size() - 1);
    }

    private static void requireLacking(Column field, boolean isIdentity) {
        if (!field.property().field().isOptional() && (isIdentity || !(field.type() instanceof Type.Text))) {
            throw new IllegalArgumentException("there is no column '" + field.name() + "', which is not optional");
        }
    }

    private static IllegalArgumentException wrongType(String field, ArrowVector column, String wanted) {
        return new IllegalArgumentException("column '" + field + "' is " + column.typeName() + ", but the field is "
                + wanted + "; cast it before it is written");
    }

    private static Reading reading(Column field, ArrowVector column) {
        Kind kind = column.kind();
        return switch (field.type()) {
            case Type.Text _ ->
                require(field, column, kind == Kind.TEXT, "text, which takes string", ArrowVector::text);
            case Type.Enumeration _ -> {
                Map<String, Object> constants = constants(field);
                yield require(
                        field,
                        column,
                        kind == Kind.TEXT,
                        "an enum, which takes string or a dictionary of it",
                        (from, row) -> constant(constants, field, from.text(row)));
            }
            case Type.Decimal(int scale) ->
                require(
                        field,
                        column,
                        kind == Kind.DECIMAL && column.scale() >= 0 && column.scale() <= scale,
                        "a decimal, which takes decimal128 with up to " + scale + " decimal places",
                        (from, row) -> decimal(from.digits(row), from.scale()));
            case Type.Scalar scalar -> scalar(scalar, field, column);
            default -> throw new IllegalStateException(field.name());
        };
    }

    private static Reading require(Column field, ArrowVector column, boolean fits, String wanted, Reading reading) {
        if (!fits) {
            throw wrongType(field.name(), column, wanted);
        }
        return reading;
    }

    private static Reading scalar(Type.Scalar scalar, Column field, ArrowVector column) {
        Kind kind = column.kind();
        return switch (scalar) {
            case BOOLEAN -> require(field, column, kind == Kind.BOOL, "boolean, which takes bool", ArrowVector::bool);
            case BYTE ->
                require(field, column, isWhole(column, 8), "byte, which takes int8", (from, row) ->
                        (byte) from.number(row));
            case SHORT ->
                require(field, column, isWhole(column, 16), "short, which takes int16 or shorter", (from, row) ->
                        (short) from.number(row));
            case INT ->
                require(field, column, isWhole(column, 32), "int, which takes int32 or shorter", (from, row) ->
                        (int) from.number(row));
            case LONG ->
                require(field, column, isWhole(column, 64), "long, which takes int64 or shorter", ArrowVector::number);
            case CHAR ->
                require(
                        field,
                        column,
                        kind == Kind.INT && !column.isSigned() && column.bits() <= 16,
                        "char, which takes uint16",
                        (from, row) -> (char) from.number(row));
            case FLOAT ->
                require(
                        field,
                        column,
                        kind == Kind.FLOAT && column.bits() == 32,
                        "float, which takes float",
                        ArrowVector::single);
            case DOUBLE ->
                require(field, column, kind == Kind.FLOAT, "double, which takes double or float", ArrowVector::real);
            case INSTANT ->
                require(
                        field,
                        column,
                        kind == Kind.TIMESTAMP,
                        "a point in time, which takes timestamp with a time zone",
                        ArrowImport::instant);
            case DURATION ->
                require(
                        field,
                        column,
                        kind == Kind.DURATION,
                        "a duration, which takes duration",
                        ArrowImport::duration);
            case DATE ->
                require(
                        field,
                        column,
                        kind == Kind.DAYS || kind == Kind.DAYS_IN_MILLIS,
                        "a date, which takes date32 or date64",
                        ArrowImport::date);
            case UUID ->
                require(
                        field,
                        column,
                        kind == Kind.BYTES && column.bits() == 128,
                        "a UUID, which takes fixed_size_binary[16]",
                        (from, row) -> new UUID(from.bytes(row, 0), from.bytes(row, 8)));
        };
    }

    private static boolean isWhole(ArrowVector column, int bits) {
        return column.kind() == Kind.INT && (column.isSigned() ? column.bits() <= bits : column.bits() < bits);
    }

    private static Map<String, Object> constants(Column field) {
        Map<String, Object> constants = new HashMap<>();
        for (Object constant : field.javaType().getEnumConstants()) {
            constants.put(((Enum<?>) constant).name(), constant);
        }
        return constants;
    }

    private static Object constant(Map<String, Object> constants, Column field, String name) {
        Object constant = constants.get(name);
        if (constant == null) {
            throw new IllegalArgumentException(
                    "'" + name + "' is no constant of " + field.javaType().getSimpleName());
        }
        return constant;
    }

    /** More digits than any {@code long} has are refused before they are scaled, which takes long for huge ones. */
    private static BigDecimal decimal(BigInteger digits, int scale) {
        if (digits.bitLength() > Long.SIZE - 1) {
            throw new IllegalArgumentException(digits + " has more digits than a column holds");
        }
        return new BigDecimal(digits, scale);
    }

    private static Instant instant(ArrowVector from, int row) {
        long time = from.number(row);
        long perSecond = from.perSecond();
        return Instant.ofEpochSecond(
                Math.floorDiv(time, perSecond), Math.floorMod(time, perSecond) * (NANOS / perSecond));
    }

    private static Duration duration(ArrowVector from, int row) {
        long time = from.number(row);
        long perSecond = from.perSecond();
        return Duration.ofSeconds(Math.floorDiv(time, perSecond), Math.floorMod(time, perSecond) * (NANOS / perSecond));
    }

    private static LocalDate date(ArrowVector from, int row) {
        long time = from.number(row);
        if (from.kind() == Kind.DAYS) {
            return LocalDate.ofEpochDay(time);
        }
        if (time % DAY_MILLIS != 0) {
            throw new IllegalArgumentException(time + " ms is no whole number of days");
        }
        return LocalDate.ofEpochDay(time / DAY_MILLIS);
    }

    /** Adds all rows; returns how many. */
    long read() throws IOException {
        try {
            while (in.next()) {
                for (row = 0; row < in.rows(); row++) {
                    list.addRow(this::fill);
                    rows++;
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return rows;
    }

    private void fill(Cursor<?> cursor) {
        String name = "";
        try {
            for (int i = 0; i < isThere.length; i++) {
                Group group = groups.get(i);
                name = group.name();
                boolean isAround = group.around() == NO_GROUP || isThere[group.around()];
                isThere[i] = isAround && group.column().isThere(row);
                if (isThere[i]) {
                    cursor.showRecords(group.presence());
                } else if (isAround && group.presence().isEmpty()) {
                    throw new IllegalArgumentException("it is null, and the field is not optional");
                }
            }
            for (Leaf leaf : leaves) {
                if (leaf.group() == NO_GROUP || isThere[leaf.group()]) {
                    name = leaf.field().name();
                    cursor.writeValue(leaf.number(), value(leaf));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            throw new IllegalArgumentException("row " + rows + ", column '" + name + "': " + e.getMessage(), e);
        }
    }

    private @Nullable Object value(Leaf leaf) throws IOException {
        if (leaf.column().isThere(row)) {
            return leaf.reading().of(leaf.column(), row);
        }
        if (!leaf.field().property().field().isOptional()) {
            throw new IllegalArgumentException("it is null, and the field is not optional");
        }
        return null;
    }
}
