package io.slipstream.data.arrow;

import io.slipstream.data.arrow.ArrowVector.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The type of a column of Arrow that is read, as a table {@code Field} says it.
 *
 * @param typeName as pyarrow calls it
 * @param bits of a value
 * @param isSigned whether whole numbers can be negative
 * @param scale of a decimal
 * @param unit of a time: how often a second is divided by 1,000
 */
record VectorType(Kind kind, String typeName, int bits, boolean isSigned, int scale, int unit, Texts texts) {
    /** How texts lie in buffers. */
    enum Texts {
        NONE,
        OFFSETS,
        LARGE_OFFSETS,
        VIEWS
    }

    private static final String[] UNITS = {"s", "ms", "us", "ns"};
    private static final long[] PER_SECOND = {1, 1_000, 1_000_000, 1_000_000_000};

    /** The types by the numbers of their union, as pyarrow calls them. */
    private static final String[] NAMES = {
        "no type",
        "null",
        "int",
        "float",
        "binary",
        "string",
        "bool",
        "decimal",
        "date",
        "time",
        "timestamp",
        "interval",
        "list",
        "struct",
        "union",
        "fixed_size_binary",
        "fixed_size_list",
        "map",
        "duration",
        "large_binary",
        "large_string",
        "large_list",
        "run_end_encoded",
        "binary_view",
        "string_view",
        "list_view"
    };

    private static VectorType of(Kind kind, String typeName, int bits) {
        return ofUnit(kind, typeName, bits, 0);
    }

    private static VectorType ofUnit(Kind kind, String typeName, int bits, int unit) {
        return new VectorType(kind, typeName, bits, true, 0, unit, Texts.NONE);
    }

    private static VectorType ofTexts(String typeName, Texts texts) {
        return new VectorType(Kind.TEXT, typeName, 0, true, 0, 0, texts);
    }

    private static VectorType other(int union) {
        return of(Kind.OTHER, union >= 0 && union < NAMES.length ? NAMES[union] : "type " + union, 0);
    }

    /** Returns the type of a table {@code Field} that has the values themselves. */
    static VectorType of(FlatTable field, boolean hasChildren) {
        int union = (int) field.number(2, 1, 0);
        FlatTable type = field.table(3);
        if (type == null) {
            return other(union);
        }
        return switch (union) {
            case 2 -> integers(type);
            case 3 ->
                switch ((int) type.number(0, 2, 0)) {
                    case 1 -> of(Kind.FLOAT, "float", 32);
                    case 2 -> of(Kind.FLOAT, "double", 64);
                    default -> of(Kind.OTHER, "halffloat", 0);
                };
            case 5 -> ofTexts("string", Texts.OFFSETS);
            case 6 -> of(Kind.BOOL, "bool", 1);
            case 7 -> decimals(type);
            case 8 -> type.number(0, 2, 1) == 0 ? of(Kind.DAYS, "date32", 32) : of(Kind.DAYS_IN_MILLIS, "date64", 64);
            case 10 -> timestamps(type);
            case 13 -> of(hasChildren ? Kind.STRUCT : Kind.OTHER, "struct", 0);
            case 15 -> {
                long width = type.number(0, 4, 0);
                yield width <= 0 || width > 1 << 20
                        ? other(union)
                        : of(Kind.BYTES, "fixed_size_binary[" + width + "]", (int) width * Byte.SIZE);
            }
            case 18 -> {
                int unit = unit(type, 1);
                yield ofUnit(Kind.DURATION, "duration[" + UNITS[unit] + "]", 64, unit);
            }
            case 20 -> ofTexts("large_string", Texts.LARGE_OFFSETS);
            case 24 -> ofTexts("string_view", Texts.VIEWS);
            default -> other(union);
        };
    }

    /** Returns the type of indexes of a dictionary; without {@code index}, they have 32 bits. */
    static VectorType ofIndexes(@Nullable FlatTable index, VectorType values) {
        VectorType type = index == null ? of(Kind.INT, "int32", 32) : integers(index);
        boolean isText = values.kind == Kind.TEXT && type.kind == Kind.INT;
        return new VectorType(
                isText ? Kind.TEXT : Kind.OTHER,
                "dictionary of " + values.typeName,
                type.bits,
                type.isSigned,
                0,
                0,
                Texts.NONE);
    }

    /** Returns how many units of a time make a second. */
    long perSecond() {
        return PER_SECOND[unit];
    }

    private static VectorType integers(FlatTable type) {
        int bits = (int) type.number(0, 4, 0);
        boolean isSigned = type.number(1, 1, 0) != 0;
        boolean isWhole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
        String typeName = (isSigned ? "int" : "uint") + bits;
        return new VectorType(isWhole ? Kind.INT : Kind.OTHER, typeName, bits, isSigned, 0, 0, Texts.NONE);
    }

    private static VectorType decimals(FlatTable type) {
        int bits = (int) type.number(2, 4, 128);
        int scale = (int) type.number(1, 4, 0);
        String typeName = "decimal" + bits + "(" + type.number(0, 4, 0) + ", " + scale + ")";
        return new VectorType(bits == 128 ? Kind.DECIMAL : Kind.OTHER, typeName, bits, true, scale, 0, Texts.NONE);
    }

    private static VectorType timestamps(FlatTable type) {
        int unit = unit(type, 0);
        String zone = type.text(1);
        return zone.isEmpty()
                ? of(Kind.OTHER, "timestamp[" + UNITS[unit] + "] without a time zone", 0)
                : ofUnit(Kind.TIMESTAMP, "timestamp[" + UNITS[unit] + ", " + zone + "]", 64, unit);
    }

    private static int unit(FlatTable type, int without) {
        int unit = (int) type.number(0, 2, without);
        if (unit < 0 || unit >= UNITS.length) {
            throw new IndexOutOfBoundsException("unit " + unit);
        }
        return unit;
    }
}
