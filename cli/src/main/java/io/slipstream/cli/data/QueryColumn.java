package io.slipstream.cli.data;

import io.slipstream.data.column.BitColumn;
import io.slipstream.data.column.LongColumn;
import io.slipstream.data.column.RowSet;
import io.slipstream.data.list.HugeList;
import io.slipstream.data.schema.Property;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.schema.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** A field of a list in a query: which rows have a value, and what the values are as numbers and as they are read. */
final class QueryColumn {
    private static final long SECOND = 1_000_000_000L;
    private static final String RANGE = "..";

    private final HugeList<?> list;
    private final String field;
    private final Type type;

    /**
     * Takes a field; one of a nested record by its path.
     *
     * @throws IllegalArgumentException if there is none, or a query can do nothing with it
     */
    QueryColumn(HugeList<?> list, String field) {
        this.list = list;
        this.field = field;
        this.type = type(list.schema(), field);
        if (type == Type.Scalar.UUID) {
            throw new IllegalArgumentException(field + " is a UUID, of which a query knows nothing");
        }
    }

    private static Type type(Schema<?> schema, String field) {
        Schema<?> owner = schema;
        String rest = field;
        for (int dot = rest.indexOf('.'); dot >= 0; dot = rest.indexOf('.')) {
            owner = owner.nested(owner.property(rest.substring(0, dot)).javaType());
            rest = rest.substring(dot + 1);
        }
        Property property = owner.property(rest);
        if (property.field().type() instanceof Type.Reference) {
            throw new IllegalArgumentException(field + " is a record; name one of its fields, as " + field + ".x");
        }
        return property.field().type();
    }

    String field() {
        return field;
    }

    boolean isReal() {
        return type == Type.Scalar.FLOAT || type == Type.Scalar.DOUBLE;
    }

    private boolean isTruth() {
        return type == Type.Scalar.BOOLEAN;
    }

    boolean isText() {
        return type instanceof Type.Text;
    }

    /** Returns whether values can be told to be less than others, other than by their names. */
    boolean isOrdered() {
        return !isText() && !isTruth() && !(type instanceof Type.Enumeration);
    }

    /** Returns whether a sum of values says something. */
    boolean isAmount() {
        return isOrdered() && type != Type.Scalar.CHAR && type != Type.Scalar.INSTANT && type != Type.Scalar.DATE;
    }

    /** Returns the rows that have a value. */
    RowSet present() {
        if (isTruth()) {
            BitColumn bits = list.booleans(field);
            return bits.where().or(bits.whereNot());
        }
        return isReal()
                ? list.doubles(field).where(value -> true)
                : list.longs(field).where(value -> true);
    }

    /** Returns the rows whose value is that, or from the one to the other: {@code VALUE}, {@code LOW..HIGH}. */
    RowSet where(String condition) {
        if (isText()) {
            return list.whereText(field, condition);
        }
        if (isTruth()) {
            BitColumn bits = list.booleans(field);
            return switch (condition) {
                case "true" -> bits.where();
                case "false" -> bits.whereNot();
                default -> throw no(condition);
            };
        }
        int dots = isOrdered() ? condition.indexOf(RANGE) : -1;
        String low = dots < 0 ? condition : condition.substring(0, dots);
        String high = dots < 0 ? condition : condition.substring(dots + RANGE.length());
        boolean isOpenBelow = dots >= 0 && low.isEmpty();
        boolean isOpenAbove = dots >= 0 && high.isEmpty();
        return isReal()
                ? list.doubles(field)
                        .whereBetween(
                                isOpenBelow ? Double.NEGATIVE_INFINITY : real(low),
                                isOpenAbove ? Double.POSITIVE_INFINITY : real(high))
                : list.longs(field)
                        .whereBetween(
                                isOpenBelow ? Long.MIN_VALUE : whole(low), isOpenAbove ? Long.MAX_VALUE : whole(high));
    }

    /** Returns the rows that have a value in the order of the values; equal ones in the order of the rows. */
    LongStream sortedRows() {
        if (isReal()) {
            return LongStream.of(list.doubles(field).sortedRows());
        }
        if (isText() || isTruth()) {
            LongStream.Builder rows = LongStream.builder();
            present().forEach(rows::add);
            LongFunction<String> values = reader();
            return rows.build()
                    .boxed()
                    .sorted(Comparator.comparing(values::apply))
                    .mapToLong(Long::longValue);
        }
        return LongStream.of(list.longs(field).sortedRows());
    }

    private LongFunction<String> reader() {
        LongFunction<Number> numbers = numbers();
        return row -> String.valueOf(value(numbers.apply(row)));
    }

    /** Returns what has the value of a row: a {@code Long}, or a {@code Double} of a field that {@link #isReal}. */
    LongFunction<Number> numbers() {
        if (isTruth()) {
            BitColumn bits = list.booleans(field);
            return row -> bits.get(row) ? 1L : 0L;
        }
        if (isReal()) {
            return list.doubles(field)::get;
        }
        LongColumn longs = list.longs(field);
        if (isText() && list.textOf(field, 0) != null) {
            // A text that was never set is the empty one, which can have a code of its own.
            long empty = list.codeOf(field, "");
            return row -> longs.get(row) == empty ? 0L : longs.get(row);
        }
        return longs::get;
    }

    /** Returns what a value is to those who read it: a number, a truth, or a text. */
    Comparable<?> value(Number number) {
        if (number instanceof Double real) {
            return real;
        }
        long bits = number.longValue();
        return switch (type) {
            case Type.Decimal(int scale) -> BigDecimal.valueOf(bits, scale);
            case Type.Enumeration(String _, var constants) -> constants.get((int) bits);
            case Type.Text _ -> Objects.requireNonNullElse(list.textOf(field, (int) bits), "");
            case Type.Scalar scalar ->
                switch (scalar) {
                    case BOOLEAN -> bits != 0;
                    case CHAR -> String.valueOf((char) bits);
                    case INSTANT -> Instant.ofEpochSecond(Math.floorDiv(bits, SECOND), Math.floorMod(bits, SECOND));
                    case DURATION -> Duration.ofNanos(bits);
                    case DATE -> LocalDate.ofEpochDay(bits).toString();
                    default -> bits;
                };
            default -> throw new IllegalStateException(field);
        };
    }

    private double real(String text) {
        try {
            return type == Type.Scalar.FLOAT ? Float.parseFloat(text) : Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw no(text);
        }
    }

    private long whole(String text) {
        try {
            return switch (type) {
                case Type.Decimal(int scale) ->
                    new BigDecimal(text)
                            .setScale(scale, RoundingMode.UNNECESSARY)
                            .unscaledValue()
                            .longValueExact();
                case Type.Enumeration(String _, var constants) -> {
                    if (!constants.contains(text)) {
                        throw new IllegalArgumentException(field + " is one of " + constants + ", not '" + text + "'");
                    }
                    yield constants.indexOf(text);
                }
                case Type.Scalar.CHAR -> {
                    if (text.length() != 1) {
                        throw no(text);
                    }
                    yield text.charAt(0);
                }
                case Type.Scalar.INSTANT -> {
                    Instant at = Instant.parse(text);
                    yield Math.addExact(Math.multiplyExact(at.getEpochSecond(), SECOND), at.getNano());
                }
                case Type.Scalar.DURATION -> Duration.parse(text).toNanos();
                case Type.Scalar.DATE -> LocalDate.parse(text).toEpochDay();
                default -> Long.parseLong(text);
            };
        } catch (NumberFormatException | ArithmeticException | DateTimeException e) {
            throw no(text);
        }
    }

    private IllegalArgumentException no(String text) {
        return new IllegalArgumentException(
                field + " is never '" + text + "': a value is of the kind that export writes");
    }
}
