package io.slipstream.data.arrow;

import io.slipstream.data.arrow.FlatBuffer.Nodes;
import io.slipstream.data.arrow.FlatBuffer.Table;
import io.slipstream.data.arrow.FlatBuffer.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A type of Arrow. Immutable. */
public final class ArrowType {
    /** The numbers of the types in the union {@code Type}. */
    private static final int INT = 2;

    private static final int FLOATING_POINT = 3;
    private static final int UTF8 = 5;
    private static final int BOOL = 6;
    private static final int DECIMAL = 7;
    private static final int DATE = 8;
    private static final int TIMESTAMP = 10;
    private static final int STRUCT = 13;
    private static final int FIXED_SIZE_BINARY = 15;
    private static final int DURATION = 18;

    private static final int NANOSECONDS = 3;
    private static final int DAYS = 0;

    /** The most digits that a {@code long} has. */
    private static final int LONG_DIGITS = 19;

    private final int union;
    private final Table table;
    private final @Nullable Table dictionary;
    private final List<Table> metadata;

    private ArrowType(int union, Table table, @Nullable Table dictionary, List<Table> metadata) {
        this.union = union;
        this.table = table;
        this.dictionary = dictionary;
        this.metadata = metadata;
    }

    private static ArrowType of(int union, Table table) {
        return new ArrowType(union, table, null, List.of());
    }

    /** Returns whole numbers. */
    public static ArrowType integer(int bits, boolean isSigned) {
        return of(INT, integerTable(bits, isSigned));
    }

    private static Table integerTable(int bits, boolean isSigned) {
        return new Table().number(0, 4, bits).number(1, 1, isSigned ? 1 : 0);
    }

    /** Returns {@code float}. */
    public static ArrowType floating() {
        return of(FLOATING_POINT, new Table().number(0, 2, 1));
    }

    /** Returns {@code double}. */
    public static ArrowType doubles() {
        return of(FLOATING_POINT, new Table().number(0, 2, 2));
    }

    /** Returns booleans, of a bit each. */
    public static ArrowType bool() {
        return of(BOOL, new Table());
    }

    /** Returns texts: offsets of four bytes, and UTF-8. */
    public static ArrowType text() {
        return of(UTF8, new Table());
    }

    /** Returns amounts with a mantissa of 128 bits that holds every {@code long}. */
    public static ArrowType decimal(int scale) {
        return of(
                DECIMAL,
                new Table().number(0, 4, LONG_DIGITS).number(1, 4, scale).number(2, 4, 128));
    }

    /** Returns days since 1970, in four bytes. */
    public static ArrowType date() {
        return of(DATE, new Table().number(0, 2, DAYS));
    }

    /** Returns nanoseconds since 1970, UTC. */
    public static ArrowType instant() {
        return of(TIMESTAMP, new Table().number(0, 2, NANOSECONDS).node(1, new Text("UTC")));
    }

    /** Returns nanoseconds. */
    public static ArrowType duration() {
        return of(DURATION, new Table().number(0, 2, NANOSECONDS));
    }

    /** Returns UUIDs: 16 bytes, the first digits first. */
    public static ArrowType uuid() {
        return new ArrowType(
                FIXED_SIZE_BINARY,
                new Table().number(0, 4, 16),
                null,
                List.of(metadata("ARROW:extension:metadata", ""), metadata("ARROW:extension:name", "arrow.uuid")));
    }

    private static Table metadata(String key, String value) {
        return new Table().node(0, new Text(key)).node(1, new Text(value));
    }

    /** Returns records, whose fields are columns of their own. */
    public static ArrowType struct() {
        return of(STRUCT, new Table());
    }

    /** Returns texts that are given by their indexes in a dictionary. */
    public static ArrowType dictionary(long id, int indexBits) {
        return new ArrowType(
                UTF8, new Table(), new Table().number(0, 8, id).node(1, integerTable(indexBits, true)), List.of());
    }

    /** Returns the table {@code Field}. */
    Table field(String name, boolean isNullable, List<Table> children) {
        Table field = new Table()
                .node(0, new Text(name))
                .number(1, 1, isNullable ? 1 : 0)
                .number(2, 1, union)
                .node(3, table)
                .node(5, new Nodes(children));
        if (dictionary != null) {
            field.node(4, dictionary);
        }
        return metadata.isEmpty() ? field : field.node(6, new Nodes(metadata));
    }
}
