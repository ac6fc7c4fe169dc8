package io.slipstream.data.json;

import io.slipstream.data.codec.Codec;
import io.slipstream.data.schema.Property;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.schema.Type;
import io.slipstream.data.wire.Utf8;
import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads values from JSON. */
final class JsonReader {
    private static final int MAX_DIGITS = 1_000;

    private final JsonScanner scanner;

    JsonReader(JsonScanner scanner) {
        this.scanner = scanner;
    }

    <T> T read(Codec<T> codec) {
        String outer = scanner.field();
        scanner.open('{');
        T value = codec.schema().kind() == Schema.Kind.UNION ? variant(codec) : fields(codec, true);
        scanner.close();
        scanner.field(outer);
        return value;
    }

    private <T> T variant(Codec<T> codec) {
        int position = scanner.position();
        if (!scanner.isString() || !scanner.string().equals("@type")) {
            throw scanner.bad(
                    position,
                    "expected \"@type\" first: which record of "
                            + codec.schema().name() + " this is");
        }
        scanner.expect(':');
        position = scanner.position();
        String name = scanner.string();
        for (Schema<? extends T> variant : codec.schema().variants()) {
            if (variant.name().equals(name)) {
                return fields(codec.nested(variant.type()), false);
            }
        }
        throw scanner.bad(
                position, "\"" + name + "\" is no record of " + codec.schema().name());
    }

    private <T> T fields(Codec<T> codec, boolean isFirst) {
        List<Property> properties = codec.schema().properties();
        @Nullable Object[] values = new @Nullable Object[properties.size()];
        boolean[] isSet = new boolean[values.length];
        int begin = scanner.position();
        boolean isStart = isFirst;
        while (!scanner.take('}')) {
            if (!isStart) {
                scanner.expect(',');
            }
            isStart = false;
            int position = scanner.position();
            scanner.field(codec.schema().name());
            String name = scanner.string();
            int i = index(properties, name);
            scanner.field(codec.schema().name() + "." + name);
            if (i < 0) {
                throw scanner.bad(position, "is no field of " + codec.schema().name());
            }
            if (isSet[i]) {
                throw scanner.bad(position, "is there twice");
            }
            isSet[i] = true;
            scanner.expect(':');
            values[i] = property(codec, properties.get(i));
        }
        complete(codec, values, isSet, begin);
        return codec.create(values);
    }

    private <T> void complete(Codec<T> codec, @Nullable Object[] values, boolean[] isSet, int begin) {
        for (int i = 0; i < values.length; i++) {
            Property property = codec.schema().properties().get(i);
            if (!isSet[i]) {
                if (!property.field().isOptional()
                        && property.field().since() == 1
                        && property.field().defaultText() == null) {
                    scanner.field(codec.schema().name() + "." + property.name());
                    throw scanner.bad(begin, "is missing");
                }
                values[i] = codec.defaultOf(property);
            }
        }
    }

    private static int index(List<Property> properties, String name) {
        for (int i = 0; i < properties.size(); i++) {
            if (properties.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private @Nullable Object property(Codec<?> codec, Property property) {
        int position = scanner.position();
        if (scanner.takeWord("null")) {
            if (!property.field().isOptional()) {
                throw scanner.bad(position, "is null, but not optional");
            }
            return null;
        }
        return value(codec, property.field().type(), property.genericType());
    }

    private Object value(Codec<?> codec, Type type, java.lang.reflect.Type java) {
        int position = scanner.position();
        try {
            return switch (type) {
                case Type.Scalar scalar -> scalar(scalar, position);
                case Type.Decimal(int scale) -> decimal(scale, java == BigDecimal.class, position);
                case Type.Enumeration e -> constant((Class<?>) java, position);
                case Type.Text(int max) -> text(max, position);
                case Type.Array array -> array(array, position);
                case Type.Sequence(Type element, int max) ->
                    list(codec, element, ((ParameterizedType) java).getActualTypeArguments()[0], max, position);
                case Type.Reference r -> read(codec.nested((Class<?>) java));
            };
        } catch (NumberFormatException | DateTimeException e) {
            throw scanner.bad(position, "is no " + type.toString().toLowerCase(Locale.ROOT) + ": " + e.getMessage());
        }
    }

    private Object scalar(Type.Scalar scalar, int position) {
        return switch (scalar) {
            case BOOLEAN -> scanner.bool();
            case BYTE -> (byte) whole(Byte.MIN_VALUE, Byte.MAX_VALUE, position);
            case SHORT -> (short) whole(Short.MIN_VALUE, Short.MAX_VALUE, position);
            case INT -> (int) whole(Integer.MIN_VALUE, Integer.MAX_VALUE, position);
            case LONG -> whole(Long.MIN_VALUE, Long.MAX_VALUE, position);
            case FLOAT -> (float) floating(Float.MAX_VALUE, position, true);
            case DOUBLE -> floating(Double.MAX_VALUE, position, false);
            case CHAR -> character(position);
            case INSTANT -> Instant.parse(scanner.string());
            case DURATION -> Duration.parse(scanner.string());
            case DATE -> LocalDate.parse(scanner.string());
            case UUID -> uuid(position);
        };
    }

    private Object uuid(int position) {
        String text = scanner.string();
        try {
            UUID uuid = UUID.fromString(text);
            if (uuid.toString().equalsIgnoreCase(text)) {
                return uuid;
            }
        } catch (IllegalArgumentException e) {
            // Told below, as for those that fromString accepts although a digit is missing.
        }
        throw scanner.bad(position, "is no UUID");
    }

    private Object character(int position) {
        String text = scanner.string();
        if (text.length() != 1) {
            throw scanner.bad(position, "expected a string of one character");
        }
        return text.charAt(0);
    }

    private long whole(long min, long max, int position) {
        String text = scanner.number();
        try {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw scanner.bad(position, text + " is no whole number from " + min + " to " + max);
    }

    private double floating(double max, int position, boolean isFloat) {
        if (scanner.isString()) {
            return switch (scanner.string()) {
                case "NaN" -> Double.NaN;
                case "Infinity" -> Double.POSITIVE_INFINITY;
                case "-Infinity" -> Double.NEGATIVE_INFINITY;
                default -> throw scanner.bad(position, "expected a number, \"NaN\", \"Infinity\" or \"-Infinity\"");
            };
        }
        String text = scanner.number();
        double value = isFloat ? Float.parseFloat(text) : Double.parseDouble(text);
        if (Double.isInfinite(value)) {
            throw scanner.bad(position, text + " is beyond " + max);
        }
        return value;
    }

    private Object decimal(int scale, boolean isBig, int position) {
        String text = scanner.number();
        try {
            if (text.length() > MAX_DIGITS || Math.abs((long) new BigDecimal(text).scale()) > MAX_DIGITS) {
                throw new ArithmeticException();
            }
            BigDecimal value = new BigDecimal(text).setScale(scale, RoundingMode.UNNECESSARY);
            long mantissa = value.unscaledValue().longValueExact();
            return isBig ? value : (Object) mantissa;
        } catch (ArithmeticException e) {
            throw scanner.bad(
                    position, "is no number with at most " + scale + " decimal places and a mantissa of 63 bits");
        }
    }

    private Object constant(Class<?> type, int position) {
        String name = scanner.string();
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw scanner.bad(position, "\"" + name + "\" is no " + type.getSimpleName());
    }

    private String text(int max, int position) {
        String text = scanner.string();
        int half = Utf8.halfPair(text);
        if (half >= 0) {
            throw scanner.bad(position, "has half a surrogate pair at character " + half + ", which is no text");
        }
        if (max != 0 && (text.length() > max || text.getBytes(StandardCharsets.UTF_8).length > max)) {
            throw scanner.bad(position, "is longer than its limit of " + max + " bytes");
        }
        return text;
    }

    private Object array(Type.Array type, int position) {
        Object array = type.element() == Type.Scalar.BYTE ? base64(position) : numbers(type, position);
        int length = Array.getLength(array);
        if (type.isExact() ? length != type.maxLength() : type.maxLength() != 0 && length > type.maxLength()) {
            throw scanner.bad(
                    position,
                    "has " + length + " elements, not " + (type.isExact() ? "" : "at most ") + type.maxLength());
        }
        return array;
    }

    private byte[] base64(int position) {
        try {
            return Base64.getDecoder().decode(scanner.string());
        } catch (IllegalArgumentException e) {
            throw scanner.bad(position, "is not Base64");
        }
    }

    private Object numbers(Type.Array type, int position) {
        List<Object> elements = new ArrayList<>();
        scanner.open('[');
        while (!scanner.take(']')) {
            if (!elements.isEmpty()) {
                scanner.expect(',');
            }
            elements.add(scalar(type.element(), scanner.position()));
        }
        scanner.close();
        Object array = Array.newInstance(type.element().javaType(), elements.size());
        for (int i = 0; i < elements.size(); i++) {
            Array.set(array, i, elements.get(i));
        }
        return array;
    }

    private List<Object> list(Codec<?> codec, Type element, java.lang.reflect.Type java, int max, int position) {
        String field = scanner.field();
        List<Object> elements = new ArrayList<>();
        scanner.open('[');
        while (!scanner.take(']')) {
            if (!elements.isEmpty()) {
                scanner.expect(',');
            }
            if (max != 0 && elements.size() == max) {
                throw scanner.bad(position, "has more than its limit of " + max + " elements");
            }
            elements.add(value(codec, element, java));
            scanner.field(field);
        }
        scanner.close();
        return Collections.unmodifiableList(elements);
    }
}
