package io.slipstream.cli.schema;

import io.slipstream.data.schema.Definition;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Type;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Types, names and values as Python writes them. */
final class PythonTypes {
    /* The keywords of Python that a name of Java can be, and what Record and Enum have as members. */
    private static final Set<String> TAKEN = Set.of(
            "False",
            "None",
            "True",
            "and",
            "as",
            "async",
            "await",
            "def",
            "del",
            "elif",
            "except",
            "from",
            "global",
            "in",
            "is",
            "lambda",
            "nonlocal",
            "not",
            "or",
            "pass",
            "raise",
            "with",
            "yield",
            "encode",
            "decode",
            "reply",
            "LAYOUT",
            "REPLY",
            "EVENTS",
            "name",
            "value",
            "mro");

    private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000);

    private final Definitions definitions;

    PythonTypes(Definitions definitions) {
        this.definitions = definitions;
    }

    /** Returns a name that Python takes, and that neither it nor the module {@code records} uses otherwise. */
    static String name(String name) {
        return RecordsText.identifier(name, TAKEN);
    }

    /** Returns what a value of the type is in Python. */
    String annotation(Type type) {
        return switch (type) {
            case Type.Scalar scalar ->
                switch (scalar) {
                    case BOOLEAN -> "bool";
                    case BYTE, SHORT, INT, LONG, INSTANT, DURATION -> "int";
                    case CHAR -> "str";
                    case FLOAT, DOUBLE -> "float";
                    case DATE -> "_datetime.date";
                    case UUID -> "_uuid.UUID";
                };
            case Type.Decimal d -> "_decimal.Decimal";
            case Type.Enumeration e -> name(e.name());
            case Type.Text t -> "str";
            case Type.Array array ->
                array.element() == Type.Scalar.BYTE ? "bytes" : "list[" + annotation(array.element()) + "]";
            case Type.Sequence list -> "list[" + annotation(list.element()) + "]";
            case Type.Reference(String name) -> name(name);
        };
    }

    /** Returns what reads and writes the type. */
    String codec(Type type) {
        return switch (type) {
            case Type.Scalar scalar -> "_records." + scalar.name();
            case Type.Decimal(int scale) -> "_records.Decimal(" + scale + ")";
            case Type.Enumeration e -> "_records.Enumeration(" + name(e.name()) + ")";
            case Type.Text(int max) -> "_records.Text(" + max + ")";
            case Type.Array(Type.Scalar element, int max, boolean isExact) ->
                (isExact ? "_records.FixedArray(" : "_records.Array(") + codec(element) + ", " + max + ")";
            case Type.Sequence(Type element, int max) -> list(element) + ", " + max + ")";
            case Type.Reference(String name) -> "_records.OneOf(" + records(name) + ")";
        };
    }

    private String list(Type element) {
        if (element instanceof Type.Reference(String name)
                && !definitions.get(name).isUnion()) {
            return "_records.RecordList(" + name(name);
        }
        return (element.isFixed() ? "_records.FixedList(" : "_records.PartList(") + codec(element);
    }

    private String records(String reference) {
        Definition definition = definitions.get(reference);
        return definition.isUnion()
                ? definition.variants().stream().map(PythonTypes::name).collect(Collectors.joining(", "))
                : name(reference);
    }

    /** Returns the value of a type that {@code @Default} gives as text. */
    String literal(Type type, String text) {
        return switch (type) {
            case Type.Scalar scalar ->
                switch (scalar) {
                    case BOOLEAN -> text.equals("true") ? "True" : "False";
                    case BYTE, SHORT, INT, LONG -> String.valueOf(Long.parseLong(text));
                    case CHAR -> quoted(text);
                    case FLOAT, DOUBLE -> "float(" + quoted(text.replaceAll("[dDfF]$", "")) + ")";
                    case INSTANT ->
                        nanos(
                                Instant.parse(text).getEpochSecond(),
                                Instant.parse(text).getNano());
                    case DURATION ->
                        nanos(
                                Duration.parse(text).getSeconds(),
                                Duration.parse(text).getNano());
                    case DATE -> date(LocalDate.parse(text));
                    case UUID -> "_uuid.UUID(" + quoted(UUID.fromString(text).toString()) + ")";
                };
            case Type.Decimal(int scale) -> "_decimal.Decimal(" + quoted(text) + ")";
            case Type.Enumeration e -> name(e.name()) + "." + name(text);
            default -> quoted(text);
        };
    }

    private static String nanos(long seconds, int nanos) {
        return BigInteger.valueOf(seconds)
                .multiply(NANOS)
                .add(BigInteger.valueOf(nanos))
                .toString();
    }

    private static String date(LocalDate date) {
        return "_datetime.date(" + date.getYear() + ", " + date.getMonthValue() + ", " + date.getDayOfMonth() + ")";
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                quoted.append(String.format(Locale.ROOT, "\\U%08x", c));
            } else {
                quoted.appendCodePoint(c);
            }
        });
        return quoted.append('"').toString();
    }
}
