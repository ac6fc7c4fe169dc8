package io.slipstream.data.schema;

import java.util.Locale;

/** Types as text: {@code long}, {@code decimal(2)}, {@code string(16)}, {@code double[=10]}, {@code list<Leg>(64)}. */
public final class TypeText {
    private TypeText() {}

    /** Returns the type as text; an enum and a record by name alone. */
    public static String of(Type type) {
        return switch (type) {
            case Type.Scalar scalar -> scalar.name().toLowerCase(Locale.ROOT);
            case Type.Decimal(int scale) -> "decimal(" + scale + ")";
            case Type.Enumeration e -> e.name();
            case Type.Text(int max) -> "string" + limit(max);
            case Type.Array(Type.Scalar element, int max, boolean isExact) ->
                of(element) + "[" + (isExact ? "=" : "") + (max == 0 ? "" : max) + "]";
            case Type.Sequence(Type element, int max) -> "list<" + of(element) + ">" + limit(max);
            case Type.Reference(String name) -> name;
        };
    }

    /**
     * Returns the type as {@code @Removed} has it. Nothing may define an enum or a record any more that only fields of
     * the past had, so the text says what it was: {@code enum Side}, {@code enum2 Side} if it took two bytes, {@code
     * record Leg}.
     */
    public static String ofRemoved(Type type) {
        return switch (type) {
            case Type.Enumeration e -> (e.slotBytes() == 1 ? "enum " : "enum2 ") + e.name();
            case Type.Sequence(Type element, int max) -> "list<" + ofRemoved(element) + ">" + limit(max);
            case Type.Reference(String name) -> "record " + name;
            default -> of(type);
        };
    }

    private static String limit(int max) {
        return max == 0 ? "" : "(" + max + ")";
    }
}
