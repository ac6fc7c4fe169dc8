package io.slipstream.data.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what {@link TypeText} writes, and a {@code ?} behind it. */
final class TypeParser {
    private static final int DEEPEST = 32;
    private static final Pattern LIST = Pattern.compile("list<(.+)>(?:\\((\\d{1,9})\\))?");
    private static final Pattern ARRAY = Pattern.compile("(\\w+)\\[(=?)(\\d{0,9})]");
    private static final Pattern WITH_NUMBER = Pattern.compile("(string|decimal)(?:\\((\\d{1,9})\\))?");
    private static final String IDENTIFIER = "[\\p{L}_$][\\w$\\p{L}]*";
    private static final Pattern ENUM = Pattern.compile("enum(2?) (" + IDENTIFIER + ")");
    private static final Pattern RECORD = Pattern.compile("record (" + IDENTIFIER + ")");
    private static final Pattern NAME = Pattern.compile(IDENTIFIER);

    private TypeParser() {}

    record Parsed(Type type, boolean isOptional) {}

    /** Reads what {@link TypeText#ofRemoved} writes: a name alone could be that of an enum or of a record. */
    static Parsed parseRemoved(String text, String where) {
        return parse(text, where, null);
    }

    /** Reads a type; a name that {@code enums} has is that of an enum, any other that of a definition. */
    static Parsed parse(String text, String where, @Nullable Map<String, List<String>> enums) {
        boolean isOptional = text.endsWith("?");
        return new Parsed(type(isOptional ? text.substring(0, text.length() - 1) : text, where, enums, 0), isOptional);
    }

    private static Type type(String text, String where, @Nullable Map<String, List<String>> enums, int depth) {
        Matcher m = LIST.matcher(text);
        if (m.matches()) {
            if (depth == DEEPEST) {
                throw new SchemaException(where + ": lists are nested deeper than " + DEEPEST);
            }
            return new Type.Sequence(type(m.group(1), where, enums, depth + 1), number(m.group(2)));
        }
        m = ARRAY.matcher(text);
        if (m.matches()) {
            Type.Scalar element = scalar(m.group(1));
            if (element != null && element.isPrimitive()) {
                return new Type.Array(element, number(m.group(3)), !m.group(2).isEmpty());
            }
        }
        m = WITH_NUMBER.matcher(text);
        if (m.matches() && (m.group(2) != null || m.group(1).equals("string"))) {
            int n = number(m.group(2));
            return m.group(1).equals("string") ? new Type.Text(n) : new Type.Decimal(n);
        }
        m = ENUM.matcher(text);
        if (m.matches()) {
            return new Type.Enumeration(m.group(2), placeholders(m.group(1).isEmpty() ? 0 : 257));
        }
        m = RECORD.matcher(text);
        if (m.matches()) {
            return new Type.Reference(m.group(1));
        }
        Type.Scalar scalar = scalar(text);
        if (scalar != null) {
            return scalar;
        }
        if (!NAME.matcher(text).matches()) {
            throw new SchemaException(where + ": \"" + text
                    + "\" is not a type, as long, decimal(2), string(16), double[=10]"
                    + " or list<Leg> are");
        }
        if (enums == null) {
            throw new SchemaException(where + ": \"" + text + "\" does not say what it was; write \"enum " + text
                    + "\" for an enum, \"enum2 " + text + "\" for one of more than 256 constants, \"record " + text
                    + "\" for a record or an interface");
        }
        List<String> constants = enums.get(text);
        return constants == null ? new Type.Reference(text) : new Type.Enumeration(text, constants);
    }

    private static int number(@Nullable String digits) {
        return digits == null || digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    /** Returns names for the constants of an enum of which no more is known than how many bytes it takes. */
    private static List<String> placeholders(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add("_" + i);
        }
        return names;
    }

    private static Type.@Nullable Scalar scalar(String text) {
        for (Type.Scalar scalar : Type.Scalar.values()) {
            if (scalar.name().toLowerCase(Locale.ROOT).equals(text)) {
                return scalar;
            }
        }
        return null;
    }
}
