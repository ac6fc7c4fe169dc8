package io.slipstream.data.list;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;

/**
 * Tells what a file of Arrow has, by the specification alone: the schema, and of each batch the numbers of rows and
 * nulls and the bytes of the buffers. Two files with the same content may differ in all else.
 */
final class ArrowFile {
    private static final String MAGIC = "ARROW1";
    private static final int INT = 2;
    private static final int FLOATING_POINT = 3;
    private static final int DECIMAL = 7;
    private static final int DATE = 8;
    private static final int TIMESTAMP = 10;
    private static final int FIXED_SIZE_BINARY = 15;
    private static final int DURATION = 18;

    private final ByteBuffer bytes;
    private final List<String> lines = new ArrayList<>();
    private final List<Integer> bufferOffsets = new ArrayList<>();
    private final List<Batch> batches = new ArrayList<>();

    private ArrowFile(byte[] file) {
        bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns a line for each field, node and buffer. */
    static List<String> describe(byte[] file) {
        return read(file).lines;
    }

    /** Returns where the buffers begin. */
    static List<Integer> bufferOffsets(byte[] file) {
        return read(file).bufferOffsets;
    }

    /** Returns the rows of a file without dictionaries. */
    static List<Batch> batches(byte[] file) {
        return read(file).batches;
    }

    private static ArrowFile read(byte[] file) {
        ArrowFile arrow = new ArrowFile(file);
        arrow.read();
        return arrow;
    }

    private void read() {
        int end = bytes.capacity() - MAGIC.length();
        require(
                text(0, MAGIC.length()).equals(MAGIC)
                        && text(end, MAGIC.length()).equals(MAGIC),
                "magic");
        int footerAt = end - Integer.BYTES - bytes.getInt(end - Integer.BYTES);
        Table footer = root(footerAt);
        Table schema = footer.table(1);
        line("version", footer.number(0, 2, 0), "endianness", schema.number(0, 2, 0));
        for (Table field : schema.tables(1)) {
            field(field, "");
        }
        batches(footer, 2, "dictionary");
        batches(footer, 3, "batch");
        // A stream is what stands between: the schema, dictionaries and batches one after the other, and the end.
        int at = Long.BYTES;
        int messages = 0;
        while (bytes.getInt(at + 4) != 0) {
            require(bytes.getInt(at) == -1 && at % 8 == 0, "prefix");
            Table message = root(at + 8);
            at += 8 + bytes.getInt(at + 4) + (int) message.number(3, 8, 0);
            messages++;
        }
        line("messages", messages);
        require(at + 8 == footerAt, "end of the stream");
    }

    private void field(Table field, String indent) {
        Table type = field.table(3);
        int union = (int) field.number(2, 1, 0);
        line(
                indent + field.text(0),
                field.number(1, 1, 0) == 0 ? "required" : "nullable",
                "type",
                union,
                switch (union) {
                    case INT -> integer(type);
                    case FLOATING_POINT -> type.number(0, 2, 0);
                    case DECIMAL -> type.number(0, 4, 0) + "," + type.number(1, 4, 0) + "," + type.number(2, 4, 128);
                    case DATE, DURATION -> type.number(0, 2, 1);
                    case TIMESTAMP -> type.number(0, 2, 0) + "," + type.text(1);
                    case FIXED_SIZE_BINARY -> type.number(0, 4, 0);
                    default -> "";
                });
        if (field.has(4)) {
            Table dictionary = field.table(4);
            line(indent + " dictionary", dictionary.number(0, 8, 0), integer(dictionary.table(1)));
        }
        for (Table metadata : field.tables(6)) {
            line(indent + " metadata", metadata.text(0) + "=" + metadata.text(1));
        }
        for (Table child : field.tables(5)) {
            field(child, indent + "  ");
        }
    }

    private static String integer(Table type) {
        return (type.number(1, 1, 0) == 0 ? "unsigned" : "signed") + type.number(0, 4, 0);
    }

    private void batches(Table footer, int slot, String what) {
        int blocks = footer.vector(slot);
        for (int i = 0; i < bytes.getInt(blocks); i++) {
            int block = blocks + 4 + 24 * i;
            int at = (int) bytes.getLong(block);
            int body = at + bytes.getInt(block + 8);
            Table message = root(at + 8);
            require(body == at + 8 + bytes.getInt(at + 4), "length of the metadata");
            require(message.number(3, 8, 0) == bytes.getLong(block + 16), "length of the body");
            boolean isDictionary = message.number(1, 1, 0) == 2;
            Table header = message.table(2);
            line(what, isDictionary ? header.number(0, 8, 0) : "");
            batch(isDictionary ? header.table(1) : header, body);
        }
    }

    private void batch(Table batch, int body) {
        line("rows", batch.number(0, 8, 0));
        int nodes = batch.vector(1);
        for (int i = 0; i < bytes.getInt(nodes); i++) {
            line("node", bytes.getLong(nodes + 4 + 16 * i), bytes.getLong(nodes + 12 + 16 * i));
        }
        int buffers = batch.vector(2);
        List<ByteBuffer> slices = new ArrayList<>();
        for (int i = 0; i < bytes.getInt(buffers); i++) {
            int at = body + (int) bytes.getLong(buffers + 4 + 16 * i);
            require(at % 8 == 0, "alignment");
            byte[] buffer = new byte[(int) bytes.getLong(buffers + 12 + 16 * i)];
            bytes.get(at, buffer);
            line("buffer", HexFormat.of().formatHex(buffer));
            bufferOffsets.add(at);
            slices.add(ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN));
        }
        batches.add(new Batch(batch.number(0, 8, 0), slices));
    }

    /**
     * The rows of a batch.
     *
     * @param buffers of all columns, in their order
     */
    record Batch(long rows, List<ByteBuffer> buffers) {
        long longAt(int buffer, int row) {
            return buffers.get(buffer).getLong(Long.BYTES * row);
        }

        boolean hasValue(int validity, int row) {
            ByteBuffer bits = buffers.get(validity);
            return bits.capacity() == 0 || (bits.get(row >>> 3) >>> (row & 7) & 1) != 0;
        }

        /** The bytes are in the buffer after that of the ends. */
        String textAt(int ends, int row) {
            int begin = buffers.get(ends).getInt(Integer.BYTES * row);
            int end = buffers.get(ends).getInt(Integer.BYTES * (row + 1));
            return new String(buffers.get(ends + 1).array(), begin, end - begin, StandardCharsets.UTF_8);
        }
    }

    private void line(Object... words) {
        StringJoiner line = new StringJoiner(" ");
        for (Object word : words) {
            line.add(word.toString());
        }
        lines.add(line.toString());
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("wrong: " + what);
        }
    }

    private String text(int at, int length) {
        byte[] utf8 = new byte[length];
        bytes.get(at, utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private Table root(int at) {
        return new Table(at + bytes.getInt(at));
    }

    /** A table of a FlatBuffer. */
    private final class Table {
        private final int at;

        Table(int at) {
            require(at % 4 == 0, "alignment of a table");
            this.at = at;
        }

        private int slot(int field) {
            int offsets = at - bytes.getInt(at);
            int place = 4 + 2 * field;
            return place < bytes.getShort(offsets) ? bytes.getShort(offsets + place) : 0;
        }

        boolean has(int field) {
            return slot(field) != 0;
        }

        long number(int field, int size, long without) {
            int place = at + slot(field);
            require(!has(field) || place % size == 0, "alignment of a number");
            return !has(field)
                    ? without
                    : switch (size) {
                        case 1 -> bytes.get(place);
                        case 2 -> bytes.getShort(place);
                        case 4 -> bytes.getInt(place);
                        default -> bytes.getLong(place);
                    };
        }

        private int refer(int field) {
            require(has(field), "nothing is in field " + field);
            int place = at + slot(field);
            return place + bytes.getInt(place);
        }

        String text(int field) {
            int place = refer(field);
            int length = bytes.getInt(place);
            require(bytes.get(place + 4 + length) == 0, "end of a text");
            return ArrowFile.this.text(place + 4, length);
        }

        Table table(int field) {
            return new Table(refer(field));
        }

        int vector(int field) {
            return refer(field);
        }

        List<Table> tables(int field) {
            List<Table> tables = new ArrayList<>();
            if (has(field)) {
                int vector = vector(field);
                for (int i = 1; i <= bytes.getInt(vector); i++) {
                    int place = vector + 4 * i;
                    tables.add(new Table(place + bytes.getInt(place)));
                }
            }
            return tables;
        }
    }
}
