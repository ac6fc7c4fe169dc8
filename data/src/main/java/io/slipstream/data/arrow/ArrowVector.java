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

    private final String name;
    private final VectorType type;
    private final int bits;
    private final boolean isSigned;
    private final List<ArrowVector> children;
    private final @Nullable ArrowDictionary dictionary;

    private MemorySegment validity = MemorySegment.NULL;
    private MemorySegment values = MemorySegment.NULL;
    private final List<MemorySegment> data = new ArrayList<>();

    private ArrowVector(
            String name, VectorType type, List<ArrowVector> children, @Nullable ArrowDictionary dictionary) {
        this.name = name;
        this.type = type;
        this.bits = type.bits();
        this.isSigned = type.isSigned();
        this.children = children;
        this.dictionary = dictionary;
    }

    /** Returns the column of a table {@code Field} that has the values themselves. */
    static ArrowVector of(FlatTable field, List<ArrowVector> children) {
        VectorType type = VectorType.of(field, !children.isEmpty());
        return new ArrowVector(field.text(0), type, type.kind() == Kind.STRUCT ? children : List.of(), null);
    }

    /** Returns a column of indexes of a dictionary; without {@code type}, they have 32 bits. */
    static ArrowVector indexes(FlatTable field, @Nullable FlatTable type, ArrowDictionary dictionary) {
        VectorType index = VectorType.ofIndexes(type, dictionary.values().type);
        return new ArrowVector(field.text(0), index, List.of(), dictionary);
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns what the values are. */
    public Kind kind() {
        return type.kind();
    }

    /** Returns the type as pyarrow calls it, for people to read. */
    public String typeName() {
        return type.typeName();
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
        return type.scale();
    }

    /** Returns how many units of a time make a second. */
    public long perSecond() {
        return type.perSecond();
    }

    /** Returns the columns of a struct. */
    public List<ArrowVector> children() {
        return children;
    }

    /** Takes the rows of a batch; only of a kind that is read. */
    void load(BatchBuffers from) throws IOException {
        if (kind() == Kind.OTHER) {
            throw new IOException("column " + name + " has a type that is not read: " + typeName());
        }
        int rows = from.rows();
        from.column(name);
        validity = from.next(name);
        if (validity.byteSize() > 0 && validity.byteSize() < rows + 7L >>> 3) {
            throw BatchBuffers.damaged(name, "it does not say of all rows whether there is a value");
        }
        data.clear();
        switch (type.texts()) {
            case OFFSETS -> loadOffsets(from, rows, Integer.BYTES);
            case LARGE_OFFSETS -> loadOffsets(from, rows, Long.BYTES);
            case VIEWS -> {
                values = from.next(name, (long) VIEW_BYTES * rows);
                for (int i = from.variadic(name); i > 0; i--) {
                    data.add(from.next(name));
                }
            }
            case NONE -> {
                if (kind() != Kind.STRUCT) {
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
        return switch (type.texts()) {
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
