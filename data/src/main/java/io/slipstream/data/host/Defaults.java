package io.slipstream.data.host;

import io.slipstream.data.schema.Property;
import io.slipstream.data.schema.SchemaException;
import io.slipstream.data.schema.Type;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a field is in bytes that were written before it was added. */
public final class Defaults {
    private Defaults() {}

    /**
     * Returns the value of a field in what is older than the field; null if it has none.
     *
     * @throws SchemaException if its {@code @Default} is none
     */
    public static @Nullable Object of(String owner, Property property) {
        String text = property.field().defaultText();
        try {
            return text == null ? empty(property) : parse(property.field().type(), property.javaType(), text);
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new SchemaException(
                    owner + "." + property.name() + ": @Default(\"" + text + "\") is not a value of "
                            + property.javaType().getSimpleName(),
                    e);
        }
    }

    private static @Nullable Object empty(Property property) {
        Type type = property.field().type();
        if (property.field().isOptional()) {
            return null;
        }
        return switch (type) {
            case Type.Text t -> "";
            case Type.Array(Type.Scalar element, int length, boolean isExact) ->
                Array.newInstance(element.javaType(), isExact ? length : 0);
            case Type.Sequence s -> List.of();
            case Type.Decimal(int scale) ->
                property.javaType() == BigDecimal.class ? BigDecimal.valueOf(0, scale) : (Object) 0L;
            case Type.Scalar scalar when scalar.isPrimitive() -> Array.get(Array.newInstance(scalar.javaType(), 1), 0);
            default -> null;
        };
    }

    private static Object parse(Type type, Class<?> java, String text) {
        return switch (type) {
            case Type.Scalar scalar -> scalar(scalar, text);
            case Type.Decimal(int scale) -> {
                BigDecimal value = new BigDecimal(text).setScale(scale, RoundingMode.UNNECESSARY);
                yield java == BigDecimal.class
                        ? value
                        : (Object) value.unscaledValue().longValueExact();
            }
            case Type.Enumeration e -> constant(java, text);
            case Type.Text t -> text;
            default -> throw new IllegalArgumentException("only single values have a default");
        };
    }

    private static Object scalar(Type.Scalar scalar, String text) {
        return switch (scalar) {
            case BOOLEAN -> bool(text);
            case BYTE -> Byte.valueOf(text);
            case SHORT -> Short.valueOf(text);
            case CHAR -> character(text);
            case INT -> Integer.valueOf(text);
            case LONG -> Long.valueOf(text);
            case FLOAT -> Float.valueOf(text);
            case DOUBLE -> Double.valueOf(text);
            case INSTANT -> Instant.parse(text);
            case DURATION -> Duration.parse(text);
            case DATE -> LocalDate.parse(text);
            case UUID -> UUID.fromString(text);
        };
    }

    private static Object bool(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException(text);
        }
        return Boolean.valueOf(text);
    }

    private static Object character(String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException(text);
        }
        return text.charAt(0);
    }

    private static Object constant(Class<?> type, String text) {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(text)) {
                return constant;
            }
        }
        throw new IllegalArgumentException(text);
    }
}
