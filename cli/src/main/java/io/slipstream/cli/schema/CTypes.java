package io.slipstream.cli.schema;

import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/** Types, names and values as C writes them. */
final class CTypes {
    /* What C and the headers that records.h needs have taken; the last ones are macros of some compilers. */
    private static final Set<String> TAKEN = Set.of(
            "auto",
            "break",
            "case",
            "char",
            "const",
            "continue",
            "default",
            "do",
            "double",
            "else",
            "enum",
            "extern",
            "float",
            "for",
            "goto",
            "if",
            "inline",
            "int",
            "long",
            "register",
            "restrict",
            "return",
            "short",
            "signed",
            "sizeof",
            "static",
            "struct",
            "switch",
            "typedef",
            "union",
            "unsigned",
            "void",
            "volatile",
            "while",
            "bool",
            "true",
            "false",
            "alignas",
            "alignof",
            "NULL",
            "NAN",
            "INFINITY",
            "asm",
            "typeof",
            "linux",
            "unix");

    private final Definitions definitions;

    CTypes(Definitions definitions) {
        this.definitions = definitions;
    }

    /** Returns a name that C takes. */
    static String name(String name) {
        return RecordsText.identifier(name, TAKEN);
    }

    /** Returns the name of what belongs to a type, or to a field of it. */
    static String name(String owner, String part) {
        return name(owner) + "_" + RecordsText.identifier(part, Set.of());
    }

    /** Returns what a field of the type is in C. */
    String annotation(Type type) {
        return isRecord(type) ? "const " + element(type) + " *" : element(type);
    }

    /** Returns what an element of a list of the type is in C: a record itself, not where it is. */
    String element(Type type) {
        return switch (type) {
            case Type.Scalar scalar ->
                switch (scalar) {
                    case BOOLEAN -> "bool";
                    case BYTE -> "int8_t";
                    case SHORT -> "int16_t";
                    case CHAR -> "uint16_t";
                    case INT, DATE -> "int32_t";
                    case LONG -> "int64_t";
                    case FLOAT -> "float";
                    case DOUBLE -> "double";
                    case INSTANT, DURATION -> "slr_time";
                    case UUID -> "slr_uuid";
                };
            case Type.Decimal d -> "int64_t";
            default -> word(type);
        };
    }

    /** Returns the name by which names of lists and arrays call the type; it is that of the type if that has one. */
    String word(Type type) {
        return switch (type) {
            case Type.Scalar scalar -> "slr_" + scalar.name().toLowerCase(Locale.ROOT);
            case Type.Decimal d -> "slr_decimal";
            case Type.Enumeration e -> name(e.name());
            case Type.Text t -> "slr_text";
            case Type.Array(Type.Scalar element, int length, boolean isExact) ->
                isExact ? word(element) + "_array_" + length : isBytes(type) ? "slr_bytes" : word(element) + "_list";
            case Type.Sequence list -> word(list.element()) + "_list";
            case Type.Reference(String name) -> name(name);
        };
    }

    /** Returns a pointer to what says how the type is read and written. */
    String codec(Type type) {
        return switch (type) {
            case Type.Scalar scalar -> "&" + word(scalar) + "_type";
            case Type.Decimal d -> "&" + word(d) + "_type";
            case Type.Enumeration e -> made("SLR_ENUM", e, e.constants().size(), "NULL");
            case Type.Text(int max) -> made("SLR_TEXT", type, max, "NULL");
            case Type.Array(Type.Scalar element, int max, boolean isExact) ->
                made(isExact ? "SLR_ARRAY" : "SLR_LIST", type, max, codec(element));
            case Type.Sequence(Type element, int max) -> made(list(element), type, max, codec(element));
            case Type.Reference(String name) -> "&slr_" + name(name) + "_type";
        };
    }

    private String made(String form, Type type, int most, String element) {
        return "&(const slr_type) {" + form + ", " + type.slotBytes() + ", sizeof(" + element(type) + "), " + most
                + ", " + element + ", NULL}";
    }

    private String list(Type element) {
        return isRecord(element) ? "SLR_STRUCTS" : element.isFixed() ? "SLR_LIST" : "SLR_PARTS";
    }

    private boolean isRecord(Type type) {
        return type instanceof Type.Reference(String name)
                && !definitions.get(name).isUnion();
    }

    /** Returns whether these are an array of bytes; C has them unsigned. */
    static boolean isBytes(Type type) {
        return type instanceof Type.Array array && array.element() == Type.Scalar.BYTE;
    }

    /** Returns what the type in C does not say of a value, or an empty text. */
    static String note(Type type) {
        return switch (type) {
            case Type.Decimal(int scale) -> "in units of 10^-" + scale;
            case Type.Sequence list -> note(list.element());
            case Type.Array array -> note(array.element());
            case Type.Scalar scalar ->
                switch (scalar) {
                    case CHAR -> "UTF-16";
                    case INSTANT -> "since 1970";
                    case DATE -> "days since 1970-01-01";
                    default -> "";
                };
            default -> "";
        };
    }

    /** Returns the value of a type that {@code @Default} gives as text, as an initializer. */
    static String literal(Type type, String text) {
        return switch (type) {
            case Type.Scalar scalar ->
                switch (scalar) {
                    case BOOLEAN -> text.equals("true") ? "true" : "false";
                    case BYTE, SHORT, INT, LONG -> number(Long.parseLong(text));
                    case CHAR -> Integer.toString(text.charAt(0));
                    case FLOAT -> real(Float.parseFloat(text), Float.toHexString(Float.parseFloat(text)) + "f");
                    case DOUBLE -> real(Double.parseDouble(text), Double.toHexString(Double.parseDouble(text)));
                    case INSTANT ->
                        time(
                                Instant.parse(text).getEpochSecond(),
                                Instant.parse(text).getNano());
                    case DURATION ->
                        time(
                                Duration.parse(text).getSeconds(),
                                Duration.parse(text).getNano());
                    case DATE -> number(LocalDate.parse(text).toEpochDay());
                    case UUID -> uuid(UUID.fromString(text));
                };
            case Type.Decimal(int scale) ->
                number(new BigDecimal(text)
                        .setScale(scale, RoundingMode.UNNECESSARY)
                        .unscaledValue()
                        .longValueExact());
            case Type.Enumeration e -> name(e.name(), text);
            case Type.Text t -> "{" + quoted(text) + ", " + text.getBytes(StandardCharsets.UTF_8).length + "}";
            default -> throw new IllegalArgumentException("only single values have a default, not " + type);
        };
    }

    private static String number(long number) {
        return number == Long.MIN_VALUE ? "INT64_MIN" : "INT64_C(" + number + ")";
    }

    private static String real(double number, String text) {
        return Double.isNaN(number) ? "NAN" : Double.isInfinite(number) ? number < 0 ? "-INFINITY" : "INFINITY" : text;
    }

    private static String time(long seconds, int nanos) {
        return "{" + number(seconds) + ", " + nanos + "}";
    }

    private static String uuid(UUID uuid) {
        return String.format(
                Locale.ROOT,
                "{UINT64_C(0x%x), UINT64_C(0x%x)}",
                uuid.getMostSignificantBits(),
                uuid.getLeastSignificantBits());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            // Two question marks may begin a trigraph.
            if (b < ' ' || b > '~' || b == '"' || b == '\\' || b == '?') {
                quoted.append(String.format(Locale.ROOT, "\\%03o", b & 0xff));
            } else {
                quoted.append((char) b);
            }
        }
        return quoted.append('"').toString();
    }
}
