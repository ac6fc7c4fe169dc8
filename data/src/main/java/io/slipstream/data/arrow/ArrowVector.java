package io.slipstream.data.arrow;

import io.slipstream.data.column.Layouts;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column of Arrow that is read: its type, and the values of the rows of the present batch. Rows count from 0 within
 * the batch. For the thread of its {@link ArrowInput}.
 */
public final class ArrowVector {
    /** What the values are. */
    public enum Kind {
        /** Of one bit. */
        BOOL,
        /** Of 8 to 64 bits. */
        INT,
        /** Of 32 or 64 bits. */
        FLOAT,
        /** Of 128 bits, with a scale. */
        DECIMAL,
        /** Days since 1970. */
        DAYS,
        /** Milliseconds since 1970 that are whole days. */
        DAYS_IN_MILLIS,
        /** Since 1970, with a time zone, so a point in time. */
        TIMESTAMP,
        /** A length of time. */
        DURATION,
        /** UTF-8, in itself or by a dictionary. */
        TEXT,
        /** Of a number of bytes that all have. */
        BYTES,
        /** With columns of its own. */
        STRUCT,
        /** Of a type that is not read. */
        OTHER
    }

    private static final int VIEW_BYTES = 16;
    private static final int INLINE_BYTES = 12;
    private static final String[] UNITS = {"s", "ms", "us", "ns"};
    private static final long[] PER_SECOND = {1, 1_000, 1_000_000, 1_000_000_000};

    /** How texts lie in buffers. */
    private enum Texts {
        NONE,
        OFFSETS,
        LARGE_OFFSETS,
        VIEWS
    }

    private final String name;
    private final Kind kind;
    private final String typeName;
    private final int bits;
    private final boolean isSigned;
    private final int scale;
    private final int unit;
    private final Texts texts;
    private final List<ArrowVector> children;
    private final @Nullable ArrowDictionary dictionary;

    private MemorySegment validity = MemorySegment.NULL;
    private MemorySegment values = MemorySegment.NULL;
    private final List<MemorySegment> data = new ArrayList<>();

    private ArrowVector(
            String name,
            Kind kind,
            String typeName,
            int bits,
            boolean isSigned,
            int scale,
            int unit,
            Texts texts,
            List<ArrowVector> children,
            @Nullable ArrowDictionary dictionary) {
        this.name = name;
        this.kind = kind;
        this.typeName = typeName;
        this.bits = bits;
        this.isSigned = isSigned;
        this.scale = scale;
        this.unit = unit;
        this.texts = texts;
        this.children = children;
        this.dictionary = dictionary;
    }

    private static ArrowVector of(String name, Kind kind, String typeName, int bits) {
        return new ArrowVector(name, kind, typeName, bits, true, 0, 0, Texts.NONE, List.of(), null);
    }

    private static ArrowVector ofUnit(String name, Kind kind, String typeName, int bits, int unit) {
        return new ArrowVector(name, kind, typeName, bits, true, 0, unit, Texts.NONE, List.of(), null);
    }

    private static ArrowVector ofTexts(String name, String typeName, Texts texts) {
        return new ArrowVector(name, Kind.TEXT, typeName, 0, true, 0, 0, texts, List.of(), null);
    }

    /** Returns the column of a table {@code Field} that has the values themselves. */
    static ArrowVector of(FlatTable field, List<ArrowVector> children) {
        String name = field.text(0);
        int union = (int) field.number(2, 1, 0);
        FlatTable type = field.table(3);
        if (type == null) {
            return other(name, union);
        }
        return switch (union) {
            case 2 -> integers(name, type);
            case 3 ->
                switch ((int) type.number(0, 2, 0)) {
                    case 1 -> of(name, Kind.FLOAT, "float", 32);
                    case 2 -> of(name, Kind.FLOAT, "double", 64);
                    default -> of(name, Kind.OTHER, "halffloat", 0);
                };
            case 5 -> ofTexts(name, "string", Texts.OFFSETS);
            case 6 -> of(name, Kind.BOOL, "bool", 1);
            case 7 -> decimals(name, type);
            case 8 ->
                type.number(0, 2, 1) == 0
                        ? of(name, Kind.DAYS, "date32", 32)
                        : of(name, Kind.DAYS_IN_MILLIS, "date64", 64);
            case 10 -> timestamps(name, type);
            case 13 ->
                new ArrowVector(
                        name,
                        children.isEmpty() ? Kind.OTHER : Kind.STRUCT,
                        "struct",
                        0,
                        true,
                        0,
                        0,
                        Texts.NONE,
                        children,
                        null);
            case 15 -> {
                long width = type.number(0, 4, 0);
                yield width <= 0 || width > 1 << 20
                        ? other(name, union)
                        : of(name, Kind.BYTES, "fixed_size_binary[" + width + "]", (int) width * Byte.SIZE);
            }
            case 18 -> {
                int unit = unit(type, 1);
                yield ofUnit(name, Kind.DURATION, "duration[" + UNITS[unit] + "]", 64, unit);
            }
            case 20 -> ofTexts(name, "large_string", Texts.LARGE_OFFSETS);
            case 24 -> ofTexts(name, "string_view", Texts.VIEWS);
            default -> other(name, union);
        };
    }

    private static ArrowVector other(String name, int union) {
        String[] names = {
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
        return of(name, Kind.OTHER, union >= 0 && union < names.length ? names[union] : "type " + union, 0);
    }

    private static ArrowVector integers(String name, FlatTable type) {
        int bits = (int) type.number(0, 4, 0);
        boolean isSigned = type.number(1, 1, 0) != 0;
        boolean isWhole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
        String typeName = (isSigned ? "int" : "uint") + bits;
        return new ArrowVector(
                name, isWhole ? Kind.INT : Kind.OTHER, typeName, bits, isSigned, 0, 0, Texts.NONE, List.of(), null);
    }

    private static ArrowVector decimals(String name, FlatTable type) {
        int bits = (int) type.number(2, 4, 128);
        int scale = (int) type.number(1, 4, 0);
        String typeName = "decimal" + bits + "(" + type.number(0, 4, 0) + ", " + scale + ")";
        return new ArrowVector(
                name,
                bits == 128 ? Kind.DECIMAL : Kind.OTHER,
                typeName,
                bits,
                true,
                scale,
                0,
                Texts.NONE,
                List.of(),
                null);
    }

    private static ArrowVector timestamps(String name, FlatTable type) {
        int unit = unit(type, 0);
        String zone = type.text(1);
        return zone.isEmpty()
                ? of(name, Kind.OTHER, "timestamp[" + UNITS[unit] + "] without a time zone", 0)
                : ofUnit(name, Kind.TIMESTAMP, "timestamp[" + UNITS[unit] + ", " + zone + "]", 64, unit);
    }

    private static int unit(FlatTable type, int without) {
        int unit = (int) type.number(0, 2, without);
        if (unit < 0 || unit >= UNITS.length) {
            throw new IndexOutOfBoundsException("unit " + unit);
        }
        return unit;
    }

    /** Returns a column of indexes of a dictionary; without {@code type}, they have 32 bits. */
    static ArrowVector indexes(FlatTable field, @Nullable FlatTable type, ArrowDictionary dictionary) {
        ArrowVector index = type == null ? of(field.text(0), Kind.INT, "int32", 32) : integers(field.text(0), type);
        boolean isText = dictionary.values().kind == Kind.TEXT && index.kind == Kind.INT;
        return new ArrowVector(
                index.name,
                isText ? Kind.TEXT : Kind.OTHER,
                "dictionary of " + dictionary.values().typeName,
                index.bits,
                index.isSigned,
                0,
                0,
                Texts.NONE,
                List.of(),
                dictionary);
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns what the values are. */
    public Kind kind() {
        return kind;
    }

    /** Returns the type as pyarrow calls it, for people to read. */
    public String typeName() {
        return typeName;
    }

    /** Returns how many bits a value has. */
    public int bits() {
        return bits;
    }

    /** Returns whether whole numbers can be negative. */
    public boolean isSigned() {
        return isSigned;
    }

    /** Returns how many of the digits of a decimal are behind the point. */
    public int scale() {
        return scale;
    }

    /** Returns how many units of a time make a second. */
    public long perSecond() {
        return PER_SECOND[unit];
    }

    /** Returns the columns of a struct. */
    public List<ArrowVector> children() {
        return children;
    }

    /** Takes the rows of a batch; only of a kind that is read. */
    void load(BatchBuffers from) throws IOException {
        if (kind == Kind.OTHER) {
            throw new IOException("column " + name + " has a type that is not read: " + typeName);
        }
        int rows = from.rows();
        from.column(name);
        validity = from.next(name);
        if (validity.byteSize() > 0 && validity.byteSize() < rows + 7L >>> 3) {
            throw BatchBuffers.damaged(name, "it does not say of all rows whether there is a value");
        }
        data.clear();
        switch (texts) {
            case OFFSETS -> loadOffsets(from, rows, Integer.BYTES);
            case LARGE_OFFSETS -> loadOffsets(from, rows, Long.BYTES);
            case VIEWS -> {
                values = from.next(name, (long) VIEW_BYTES * rows);
                for (int i = from.variadic(name); i > 0; i--) {
                    data.add(from.next(name));
                }
            }
            case NONE -> {
                if (kind != Kind.STRUCT) {
                    values = from.next(name, (long) bits * rows + 7 >>> 3);
                }
            }
        }
        for (ArrowVector child : children) {
            child.load(from);
        }
    }

    private void loadOffsets(BatchBuffers from, int rows, int width) throws IOException {
        values = from.next(name, rows == 0 ? 0 : width * (rows + 1L));
        data.add(from.next(name));
    }

    /** Returns whether the row has a value; in a struct that is null, nobody asks. */
    public boolean isThere(int row) throws IOException {
        boolean isThere = validity.byteSize() == 0 || bit(validity, row);
        return isThere && (dictionary == null || dictionary.text(index(row), name) != null);
    }

    private static boolean bit(MemorySegment bits, int row) {
        return (bits.get(Layouts.BYTE, row >>> 3) >>> (row & 7) & 1) != 0;
    }

    /** Returns a boolean. */
    public boolean bool(int row) {
        return bit(values, row);
    }

    /** Returns a whole number, days, or a time in its unit. */
    public long number(int row) {
        return index(row);
    }

    private long index(int row) {
        return switch (bits) {
            case 8 -> isSigned ? values.get(Layouts.BYTE, row) : values.get(Layouts.BYTE, row) & 0xff;
            case 16 ->
                isSigned
                        ? values.get(Layouts.SHORT, (long) row << 1)
                        : values.get(Layouts.SHORT, (long) row << 1) & 0xffff;
            case 32 ->
                isSigned
                        ? values.get(Layouts.INT, (long) row << 2)
                        : values.get(Layouts.INT, (long) row << 2) & 0xffff_ffffL;
            default -> values.get(Layouts.LONG, (long) row << 3);
        };
    }

    /** Returns a number of 32 bits. */
    public float single(int row) {
        return values.get(Layouts.FLOAT, (long) row << 2);
    }

    /** Returns a number of 32 or 64 bits. */
    public double real(int row) {
        return bits == 32 ? single(row) : values.get(Layouts.DOUBLE, (long) row << 3);
    }

    /** Returns the digits of a decimal. */
    public BigInteger digits(int row) {
        long low = values.get(Layouts.LONG, (long) row << 4);
        long high = values.get(Layouts.LONG, ((long) row << 4) + 8);
        return high == low >> 63
                ? BigInteger.valueOf(low)
                : BigInteger.valueOf(high)
                        .shiftLeft(64)
                        .or(BigInteger.valueOf(low)
                                .and(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE)));
    }

    /** Returns eight of the bytes of a row as a number whose highest byte comes first. */
    public long bytes(int row, int at) {
        return Long.reverseBytes(values.get(Layouts.LONG, (long) row * (bits >>> 3) + at));
    }

    /** Returns a text. */
    public String text(int row) throws IOException {
        if (dictionary != null) {
            String text = dictionary.text(index(row), name);
            return text == null ? "" : text;
        }
        return switch (texts) {
            case VIEWS -> view(row);
            case LARGE_OFFSETS ->
                text(
                        data.getFirst(),
                        values.get(Layouts.LONG, (long) row << 3),
                        values.get(Layouts.LONG, (row + 1L) << 3));
            default ->
                text(
                        data.getFirst(),
                        values.get(Layouts.INT, (long) row << 2),
                        values.get(Layouts.INT, (row + 1L) << 2));
        };
    }

    private String view(int row) throws IOException {
        long at = (long) VIEW_BYTES * row;
        int length = values.get(Layouts.INT, at);
        if (length <= INLINE_BYTES) {
            return text(values, at + 4, at + 4 + length);
        }
        int buffer = values.get(Layouts.INT, at + 8);
        if (buffer < 0 || buffer >= data.size()) {
            throw BatchBuffers.damaged(name, "a text of it lies in buffer " + buffer + " of " + data.size());
        }
        long begin = values.get(Layouts.INT, at + 12);
        return text(data.get(buffer), begin, begin + length);
    }

    private String text(MemorySegment in, long begin, long end) throws IOException {
        if (begin < 0 || end < begin || end > in.byteSize()) {
            throw BatchBuffers.damaged(name, "a text of it lies outside its buffer");
        }
        ByteBuffer utf8 = in.asSlice(begin, end - begin).asByteBuffer();
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
        } catch (CharacterCodingException e) {
            throw BatchBuffers.damaged(name, "a text of it is not UTF-8");
        }
    }
}
