package io.slipstream.data.list;

import io.slipstream.data.schema.Type;
import io.slipstream.data.text.CsvReader;
import io.slipstream.data.text.CsvWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A field of a list in CSV.
 *
 * @param number of the field in the list
 * @param column how it lies there
 * @param groups the columns that say whether the nested records are there that it is in, the outermost first
 */
record CsvField(int number, Column column, List<Integer> groups) {
    private static final long SECOND = 1_000_000_000L;

    /** Returns the fields of a list in the order of its columns. */
    static List<CsvField> of(HugeList<?> list) {
        List<CsvField> fields = new ArrayList<>();
        add(list, new Columns(list.schema()).fields(), List.of(), fields);
        return fields;
    }

    private static void add(HugeList<?> list, List<Columns.Node> nodes, List<Integer> groups, List<CsvField> to) {
        for (Columns.Node node : nodes) {
            switch (node) {
                case Columns.Leaf(var _, int number) -> to.add(new CsvField(number, list.column(number), groups));
                case Columns.Group group -> {
                    List<Integer> inner = new ArrayList<>(groups);
                    if (group.presence() != Column.NONE) {
                        inner.add(group.presence());
                    }
                    add(list, group.fields(), List.copyOf(inner), to);
                }
            }
        }
    }

    String name() {
        return column.name();
    }

    /** Writes the value of the row on which the cursor stands; nothing if there is none. */
    void write(Cursor<?> cursor, CsvWriter to) {
        switch (cursor.readValue(number)) {
            case null -> to.none();
            case Long value -> to.field(value);
            case Integer value -> to.field(value);
            case Short value -> to.field(value);
            case Byte value -> to.field(value);
            case Double value -> to.field(value);
            case Boolean value -> to.field(value);
            case BigDecimal value -> to.field(value.toPlainString());
            case Enum<?> value -> to.field(value.name());
            case String value -> to.field(value);
            case Object value -> to.field(value.toString());
        }
    }

    /** Returns whether the record has a value; nothing at all is none, two quotes are the empty text. */
    boolean isThere(CsvReader from, int at) {
        return from.begin(at) < from.end(at) || from.isQuoted(at);
    }

    /**
     * Returns the value of the record.
     *
     * @throws IllegalArgumentException if it is none
     */
    @Nullable
    Object read(CsvReader from, int at) {
        boolean isText = column.type() instanceof Type.Text;
        if (!isThere(from, at)) {
            if (!column.property().field().isOptional() && !isText) {
                throw new IllegalArgumentException("there is no value, and the field is not optional");
            }
            return isText && !column.isTextOrNone() ? "" : null;
        }
        return switch (column.type()) {
            case Type.Text _ -> from.stringAt(at);
            case Type.Decimal(int scale) -> BigDecimal.valueOf(from.decimalAt(at, scale), scale);
            case Type.Enumeration _ -> constant(from.stringAt(at));
            case Type.Scalar scalar -> scalar(scalar, from, at);
            default -> throw new IllegalStateException(name());
        };
    }

    private static Object scalar(Type.Scalar scalar, CsvReader from, int at) {
        return switch (scalar) {
            case BOOLEAN -> from.booleanAt(at);
            case BYTE -> (byte) whole(from, at, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SHORT -> (short) whole(from, at, Short.MIN_VALUE, Short.MAX_VALUE);
            case INT -> (int) whole(from, at, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case LONG -> from.longAt(at);
            case DOUBLE -> from.doubleAt(at);
            case FLOAT -> {
                // The check of the syntax; a float must not be rounded by way of a double.
                from.doubleAt(at);
                yield Float.valueOf(from.stringAt(at));
            }
            case CHAR -> character(from.stringAt(at));
            case INSTANT -> {
                long nanos = from.instantAt(at);
                yield Instant.ofEpochSecond(Math.floorDiv(nanos, SECOND), Math.floorMod(nanos, SECOND));
            }
            case DURATION -> Duration.parse(from.stringAt(at));
            case DATE -> LocalDate.parse(from.stringAt(at));
            case UUID -> uuid(from.stringAt(at));
        };
    }

    private static long whole(CsvReader from, int at, long least, long greatest) {
        long value = from.longAt(at);
        if (value < least || value > greatest) {
            throw new IllegalArgumentException(value + " is not from " + least + " to " + greatest);
        }
        return value;
    }

    private static char character(String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException("'" + text + "' is not one character");
        }
        return text.charAt(0);
    }

    private static UUID uuid(String text) {
        UUID uuid = UUID.fromString(text);
        if (!uuid.toString().equalsIgnoreCase(text)) {
            throw new IllegalArgumentException("'" + text + "' is no UUID");
        }
        return uuid;
    }

    private Object constant(String text) {
        for (Object constant : column.javaType().getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(text)) {
                return constant;
            }
        }
        throw new IllegalArgumentException(
                "'" + text + "' is no constant of " + column.javaType().getSimpleName());
    }
}
