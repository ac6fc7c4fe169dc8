package io.slipstream.data.arrow;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file or a stream of Arrow: the schema when it is created, then batch by batch. A stream is read from its
 * beginning to its end. A file has a copy of its schema, and says where its batches are, in a footer.
 * Bytes are never trusted: what is no Arrow, or damaged, is an {@link IOException}. It takes the memory of one batch,
 * and of the dictionaries; one thread.
 */
public final class ArrowInput implements AutoCloseable {
    private static final String MAGIC = "ARROW1";
    private static final int CONTINUATION = -1;
    private static final int PREFIX_BYTES = 8;
    private static final byte[] END = {-1, -1, -1, -1, 0, 0, 0, 0};
    private static final int SCHEMA = 1;
    private static final int DICTIONARY_BATCH = 2;
    private static final int RECORD_BATCH = 3;
    private static final int VERSION_4 = 3;

    /** Of a schema, or of where the buffers of a batch are. */
    private static final int MOST_METADATA_BYTES = 1 << 26;

    private static final int MOST_COLUMNS = 10_000;
    private static final int MOST_DEPTH = 64;
    private static final int MOST_BODY_BYTES = Integer.MAX_VALUE - 64;

    private final InputStream in;
    private final boolean isFile;

    /** What is read, if it was opened here. */
    private final @Nullable OpenFile file;

    /** Where dictionaries and batches begin; null if one comes behind the other. */
    private long @Nullable [] places;

    private int nextPlace;
    private final List<ArrowVector> columns = new ArrayList<>();
    private final Map<Long, ArrowDictionary> dictionaries = new HashMap<>();
    private MemorySegment body = MemorySegment.NULL;
    private int columnCount;
    private int rows;

    private ArrowInput(InputStream in, @Nullable OpenFile file) throws IOException {
        this.in = in;
        byte[] prefix = in.readNBytes(PREFIX_BYTES);
        this.isFile = text(prefix, MAGIC.length()).equals(MAGIC);
        this.file = file;
        if (isFile && file != null) {
            readFooter(file);
            return;
        }
        if (isFile) {
            prefix = in.readNBytes(PREFIX_BYTES);
        }
        requireArrow(prefix, isFile);
        guarded(this::readSchema, metadata(prefix));
    }

    /**
     * Reads the schema of a stream, or of a file that has it at its beginning, too: not every one of Polars does.
     *
     * @throws IOException from {@code in}, which stays the caller's to close, or if there is no Arrow in it
     */
    public static ArrowInput of(InputStream in) throws IOException {
        return new ArrowInput(in, null);
    }

    /**
     * Reads the schema of a file of Arrow, or of one with a stream in it; {@link #close} closes it.
     *
     * @throws IOException if it cannot be read, or there is no Arrow in it
     */
    public static ArrowInput of(Path path) throws IOException {
        OpenFile opened = new OpenFile(path);
        try {
            return new ArrowInput(opened, opened);
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    private void readFooter(OpenFile from) throws IOException {
        long tail = from.length() - MAGIC.length() - Integer.BYTES;
        from.seek(Math.max(0, tail));
        byte[] end = from.readNBytes(MAGIC.length() + Integer.BYTES);
        int bytes = end.length < Integer.BYTES ? 0 : littleEndian(end, 0);
        if (tail < PREFIX_BYTES
                || !new String(end, Integer.BYTES, MAGIC.length(), StandardCharsets.ISO_8859_1).equals(MAGIC)) {
            throw new EOFException("the Arrow data is cut off");
        }
        if (bytes <= 0 || bytes > MOST_METADATA_BYTES || bytes > tail - PREFIX_BYTES) {
            throw new IOException("the Arrow data is damaged: a footer of " + bytes + " bytes");
        }
        from.seek(tail - bytes);
        guarded(
                footer -> {
                    readFields(footer.need(1, "the schema"));
                    LongStream.Builder all = LongStream.builder();
                    addPlaces(footer, 2, all);
                    addPlaces(footer, 3, all);
                    places = all.build().toArray();
                },
                read(bytes));
    }

    /** Each begins behind the one before: so no rows are read twice. */
    private static void addPlaces(FlatTable footer, int vector, LongStream.Builder to) throws IOException {
        int count = footer.count(vector, "places of batches", 3 * Long.BYTES);
        long before = -1;
        for (int i = 0; i < count; i++) {
            long place = footer.longAt(vector, 3 * i);
            if (place <= before) {
                throw new IOException("the Arrow data is damaged: its batches are not in their order");
            }
            before = place;
            to.accept(place);
        }
    }

    private static String text(byte[] bytes, int length) {
        return new String(bytes, 0, Math.min(length, bytes.length), StandardCharsets.ISO_8859_1);
    }

    private static void requireArrow(byte[] prefix, boolean isFile) throws IOException {
        switch (text(prefix, 4)) {
            case "PAR1" ->
                throw new IOException("this is a file of Parquet; write it as Arrow before: in Python,"
                        + " pyarrow.feather.write_feather(pyarrow.parquet.read_table(FILE), TO, \"uncompressed\")");
            case "FEA1" -> throw new IOException("this is version 1 of Feather; write it as version 2, which is Arrow");
            default -> {
                // Read below.
            }
        }
        if (prefix.length < PREFIX_BYTES || littleEndian(prefix, 0) != CONTINUATION) {
            throw new IOException(
                    isFile
                            ? "this file of Arrow has no schema at its beginning; read it by its path, not as a stream"
                            : "this is neither a file nor a stream of Arrow, or one from before release 0.15");
        }
    }

    private static int littleEndian(byte[] bytes, int at) {
        return bytes[at] & 0xff | (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff) << 16 | bytes[at + 3] << 24;
    }

    /** What is done with a message. */
    private interface Step {
        void take(FlatTable message) throws IOException;
    }

    /** A message and a footer begin with the version of the format. */
    private static void guarded(Step step, byte[] metadata) throws IOException {
        try {
            FlatTable message = FlatTable.root(metadata);
            if (message.number(0, Short.BYTES, 0) < VERSION_4) {
                throw new IOException("this is Arrow from before release 0.8");
            }
            step.take(message);
        } catch (IndexOutOfBoundsException e) {
            throw new IOException("the Arrow data is damaged: a place in it lies behind its end", e);
        }
    }

    private byte[] metadata(byte[] prefix) throws IOException {
        int bytes = littleEndian(prefix, 4);
        if (bytes < 0 || bytes > MOST_METADATA_BYTES) {
            throw new IOException("the Arrow data is damaged: metadata of " + Integer.toUnsignedLong(bytes) + " bytes");
        }
        return read(bytes);
    }

    private byte[] read(int bytes) throws IOException {
        byte[] all = in.readNBytes(bytes);
        if (all.length < bytes) {
            throw new EOFException("the Arrow data is cut off");
        }
        return all;
    }

    private void readSchema(FlatTable message) throws IOException {
        FlatTable schema = message.need(2, "the schema");
        if (message.number(1, 1, 0) != SCHEMA) {
            throw new IOException("the Arrow data is damaged: it does not begin with a schema");
        }
        readFields(schema);
    }

    private void readFields(FlatTable schema) throws IOException {
        if (schema.number(0, Short.BYTES, 0) != 0) {
            throw new IOException("this is big-endian Arrow, which is not read");
        }
        columns.addAll(columns(schema, 1, 0));
    }

    private List<ArrowVector> columns(FlatTable of, int vector, int depth) throws IOException {
        int count = of.count(vector, "columns", Integer.BYTES);
        columnCount += count;
        if (depth > MOST_DEPTH || columnCount > MOST_COLUMNS) {
            throw new IOException(
                    "there are more than " + MOST_COLUMNS + " columns, or columns nested deeper than " + MOST_DEPTH);
        }
        List<ArrowVector> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            FlatTable field = of.tableAt(vector, i);
            List<ArrowVector> children = columns(field, 5, depth + 1);
            FlatTable encoding = field.table(4);
            if (encoding == null) {
                all.add(ArrowVector.of(field, children));
            } else {
                ArrowDictionary dictionary = dictionaries.computeIfAbsent(
                        encoding.number(0, Long.BYTES, 0), _ -> new ArrowDictionary(ArrowVector.of(field, children)));
                all.add(ArrowVector.indexes(field, encoding.table(1), dictionary));
            }
        }
        return all;
    }

    /** Returns the columns, which have the rows of the last batch. */
    public List<ArrowVector> columns() {
        return columns;
    }

    /** Returns how many rows the last batch has. */
    public int rows() {
        return rows;
    }

    /**
     * Goes to the next batch, and returns whether there is one.
     *
     * @throws IOException if it cannot be read, is damaged, cut off, or compressed
     */
    public boolean next() throws IOException {
        rows = 0;
        boolean[] isBatch = new boolean[1];
        while (!isBatch[0]) {
            if (file != null && places != null) {
                if (nextPlace == places.length) {
                    return false;
                }
                file.seek(places[nextPlace++]);
            }
            byte[] prefix = in.readNBytes(PREFIX_BYTES);
            if (places == null && (prefix.length == 0 && !isFile || Arrays.equals(prefix, END))) {
                return false;
            }
            if (prefix.length < PREFIX_BYTES) {
                throw new EOFException("the Arrow data is cut off");
            }
            if (littleEndian(prefix, 0) != CONTINUATION) {
                throw new IOException("the Arrow data is damaged: there is no message where the one before ends");
            }
            guarded(message -> isBatch[0] = readBatch(message), metadata(prefix));
        }
        return true;
    }

    /** Returns whether the message has rows; else it is a dictionary. */
    private boolean readBatch(FlatTable message) throws IOException {
        long bodyBytes = message.number(3, Long.BYTES, 0);
        if (bodyBytes < 0 || bodyBytes > MOST_BODY_BYTES) {
            throw new IOException("a batch of " + bodyBytes + " bytes is longer than what is read; write shorter ones");
        }
        body = MemorySegment.ofArray(read((int) bodyBytes));
        FlatTable header = message.need(2, "what a message holds");
        switch ((int) message.number(1, 1, 0)) {
            case DICTIONARY_BATCH -> {
                ArrowDictionary dictionary = dictionaries.get(header.number(0, Long.BYTES, 0));
                if (dictionary != null) {
                    FlatTable values = header.need(1, "the values of a dictionary");
                    dictionary.load(new BatchBuffers(values, body), header.number(2, 1, 0) != 0);
                }
                return false;
            }
            case RECORD_BATCH -> {
                BatchBuffers buffers = new BatchBuffers(header, body);
                for (ArrowVector column : columns) {
                    column.load(buffers);
                }
                rows = buffers.rows();
                return true;
            }
            default -> throw new IOException("the Arrow data has a message that is no batch, which is not read");
        }
    }

    /** Closes the file, if it was opened here. */
    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
