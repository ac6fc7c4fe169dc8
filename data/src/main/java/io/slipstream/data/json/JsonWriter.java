package io.slipstream.data.json;

import io.slipstream.data.EncodeException;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.schema.Property;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.schema.Type;
import io.slipstream.data.wire.Utf8;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes values as JSON. */
final class JsonWriter {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final StringBuilder text;

    JsonWriter(StringBuilder text) {
        this.text = text;
    }

    <T> void write(Codec<T> codec, T value) {
        if (codec.schema().kind() == Schema.Kind.UNION) {
            variant(codec.variantOf(value), value);
        } else {
            text.append('{');
            fields(codec, value, true);
        }
    }

    @SuppressWarnings("unchecked")
    private <T> void variant(Codec<? extends T> variant, T value) {
        text.append("{\"@type\":");
        string(variant.schema().name());
        fields((Codec<T>) variant, value, false);
    }

    private <T> void fields(Codec<T> codec, T value, boolean isFirst) {
        @Nullable Object[] values = codec.values(value);
        boolean needsComma = !isFirst;
        for (int i = 0; i < values.length; i++) {
            Object one = values[i];
            Property property = codec.schema().properties().get(i);
            // What is left out is read as the default, so a null that is none is written.
            if (one != null || property.field().isOptional() && property.field().defaultText() != null) {
                text.append(needsComma ? ",\"" : "\"").append(property.name()).append("\":");
                if (one == null) {
                    text.append("null");
                } else {
                    value(codec, property, property.field().type(), one);
                }
                needsComma = true;
            }
        }
        text.append('}');
    }

    private void value(Codec<?> codec, Property property, Type type, Object value) {
        switch (type) {
            case Type.Scalar scalar -> scalar(value);
            case Type.Decimal(int scale) ->
                text.append(
                        value instanceof Long mantissa
                                ? BigDecimal.valueOf(mantissa, scale).toPlainString()
                                : ((BigDecimal) value).toPlainString());
            case Type.Enumeration e -> string(((Enum<?>) value).name());
            case Type.Text t -> text(codec, property, (String) value);
            case Type.Array a -> array(value);
            case Type.Sequence(Type element, int max) -> list(codec, property, element, (List<?>) value);
            case Type.Reference(String name) -> nested(codec, name, value);
        }
    }

    private void list(Codec<?> codec, Property property, Type element, List<?> list) {
        char separator = '[';
        for (Object one : list) {
            text.append(separator);
            value(codec, property, element, one);
            separator = ',';
        }
        text.append(list.isEmpty() ? "[]" : "]");
    }

    private void nested(Codec<?> codec, String name, Object value) {
        write(codec.nestedNamed(name), value);
    }

    private void array(Object array) {
        if (array instanceof byte[] bytes) {
            string(Base64.getEncoder().encodeToString(bytes));
            return;
        }
        int length = Array.getLength(array);
        text.append('[');
        for (int i = 0; i < length; i++) {
            text.append(i == 0 ? "" : ",");
            scalar(Array.get(array, i));
        }
        text.append(']');
    }

    private void scalar(Object value) {
        boolean isNumber = value instanceof Number n && Double.isFinite(n.doubleValue());
        if (isNumber || value instanceof Boolean) {
            text.append(value);
        } else {
            string(value.toString());
        }
    }

    private void text(Codec<?> codec, Property property, String value) {
        int half = Utf8.halfPair(value);
        if (half >= 0) {
            throw new EncodeException(
                    codec.schema().name() + "." + property.name(),
                    "has half a surrogate pair at character " + half + ", which UTF-8 cannot write");
        }
        string(value);
    }

    private void string(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c)) {
                text.append(c);
            } else {
                escaped(value, i, c);
            }
        }
        text.append('"');
    }

    /** Escapes what must be, and a {@code char} that is half of a surrogate pair: then reading gives the same. */
    private void escaped(String value, int i, char c) {
        switch (c) {
            case '"', '\\' -> text.append('\\').append(c);
            case '\n' -> text.append("\\n");
            case '\r' -> text.append("\\r");
            case '\t' -> text.append("\\t");
            default -> {
                if (isPaired(value, i, c)) {
                    text.append(c);
                } else {
                    text.append("\\u")
                            .append(HEX[c >> 12])
                            .append(HEX[c >> 8 & 15])
                            .append(HEX[c >> 4 & 15])
                            .append(HEX[c & 15]);
                }
            }
        }
    }

    private static boolean isPaired(String value, int i, char c) {
        return Character.isHighSurrogate(c)
                ? i + 1 < value.length() && Character.isLowSurrogate(value.charAt(i + 1))
                : Character.isLowSurrogate(c) && i > 0 && Character.isHighSurrogate(value.charAt(i - 1));
    }
}
