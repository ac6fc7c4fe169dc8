package io.slipstream.data.list;

import io.slipstream.data.schema.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Turns values that are objects in Java into those of a column, and back. */
final class Values {
    private static final long SECOND = 1_000_000_000L;

    private final String field;
    private final Type type;
    private final Object[] constants;

    Values(String owner, Column column) {
        this.field = owner + "." + column.name();
        this.type = column.type();
        this.constants = Objects.requireNonNullElse(column.javaType().getEnumConstants(), new Object[0]);
    }

    Object[] constants() {
        return constants;
    }

    /** Returns the value for the bits of a column; {@code low} is the second column of a UUID. */
    Object decode(long bits, long low) {
        return switch (type) {
            case Type.Scalar scalar ->
                switch (scalar) {
                    case BOOLEAN -> bits != 0;
                    case BYTE -> (byte) bits;
                    case SHORT -> (short) bits;
                    case CHAR -> (char) bits;
                    case INT -> (int) bits;
                    case LONG -> bits;
                    case FLOAT -> Float.intBitsToFloat((int) bits);
                    case DOUBLE -> Double.longBitsToDouble(bits);
                    case INSTANT -> Instant.ofEpochSecond(Math.floorDiv(bits, SECOND), Math.floorMod(bits, SECOND));
                    case DURATION -> Duration.ofNanos(bits);
                    case DATE -> LocalDate.ofEpochDay(bits);
                    case UUID -> new UUID(bits, low);
                };
            case Type.Decimal decimal -> BigDecimal.valueOf(bits, decimal.scale());
            case Type.Enumeration _ -> constants[(int) bits];
            default -> throw new IllegalStateException(field);
        };
    }

    /** Returns the bits of the first column for a value. */
    long encode(Object value) {
        try {
            return switch (value) {
                case Boolean b -> b ? 1 : 0;
                case Character c -> c;
                case Float f -> Float.floatToRawIntBits(f);
                case Double d -> Double.doubleToRawLongBits(d);
                case Number n when !(n instanceof BigDecimal) -> n.longValue();
                case BigDecimal d ->
                    d.setScale(((Type.Decimal) type).scale(), RoundingMode.UNNECESSARY)
                            .unscaledValue()
                            .longValueExact();
                case Instant i -> Math.addExact(Math.multiplyExact(i.getEpochSecond(), SECOND), i.getNano());
                case Duration d -> d.toNanos();
                case LocalDate d -> Math.toIntExact(d.toEpochDay());
                case UUID u -> u.getMostSignificantBits();
                case Enum<?> e -> e.ordinal();
                default ->
                    throw new IllegalStateException(
                            field + " is no " + value.getClass().getName());
            };
        } catch (ArithmeticException | DateTimeException e) {
            throw new IllegalArgumentException(field + ": " + value + " does not fit its column" + hint(), e);
        }
    }

    private String hint() {
        return switch (type) {
            case Type.Decimal decimal -> ", which has " + decimal.scale() + " decimal places in a long";
            case Type.Scalar s
            when s == Type.Scalar.INSTANT -> ", which holds nanoseconds in a long: years 1677 to 2262";
            case Type.Scalar s when s == Type.Scalar.DURATION -> ", which holds nanoseconds in a long: up to 292 years";
            default -> "";
        };
    }

    long encodeLow(Object value) {
        return value instanceof UUID uuid ? uuid.getLeastSignificantBits() : 0;
    }

    String refusal(@Nullable Object value) {
        return field + ": there is no column value for " + value + "; make the field optional, or set it";
    }
}
