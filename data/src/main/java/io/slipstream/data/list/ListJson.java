package io.slipstream.data.list;

import io.slipstream.data.DecodeException;
import io.slipstream.data.column.RowSet;
import io.slipstream.data.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the elements of a list as JSON in UTF-8, an object a line, and adds such lines to one. Decimals keep their
 * digits.
 */
public final class ListJson {
    private static final int CHUNK_CHARS = 1 << 16;

    private ListJson() {}

    /**
     * Writes all elements that there are when it begins. Any thread, beside the owner.
     *
     * @throws IOException from {@code out}, which stays the caller's to close
     */
    public static <T> void write(HugeList<T> list, OutputStream out) throws IOException {
        write(list, Json.of(list.schema().type()), out);
    }

    /** Writes all elements with the caller's {@code json}, which a type that needs a lookup takes. */
    public static <T> void write(HugeList<T> list, Json<T> json, OutputStream out) throws IOException {
        try (Lines<T> lines = new Lines<>(list, json, out)) {
            long rows = list.size();
            for (long row = 0; row < rows; row++) {
                lines.write(row);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Writes the elements of {@code rows}. */
    public static <T> void write(HugeList<T> list, RowSet rows, Json<T> json, OutputStream out) throws IOException {
        try (Lines<T> lines = new Lines<>(list, json, out)) {
            rows.forEach(lines::write);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Writes the elements of {@code rows}, in their order. */
    public static <T> void write(HugeList<T> list, LongStream rows, Json<T> json, OutputStream out) throws IOException {
        try (Lines<T> lines = new Lines<>(list, json, out)) {
            rows.forEachOrdered(lines::write);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * Adds an element for each line, which is an object; a blank line is none. For the owner.
     *
     * @return how many elements were added
     * @throws IllegalArgumentException if a line is no element, or does not fit: the message names line and field. The
     *         elements before it stay
     * @throws UncheckedIOException if the disk is full, see {@link HugeList#add}
     * @throws IOException from the reader; of bytes that are not in its encoding, with the line
     */
    public static <T> long read(HugeList<T> list, Json<T> json, BufferedReader from) throws IOException {
        long count = 0;
        long number = 0;
        for (String line = lineOf(from, 1); line != null; line = lineOf(from, number + 1)) {
            number++;
            if (!line.isBlank()) {
                try {
                    list.add(json.read(line));
                } catch (DecodeException | IllegalArgumentException e) {
                    throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
                }
                count++;
            }
        }
        return count;
    }

    /** A reader decodes more than a line at a time, so a later one may be to blame. */
    private static @Nullable String lineOf(BufferedReader from, long number) throws IOException {
        try {
            return from.readLine();
        } catch (CharacterCodingException e) {
            throw new IOException("line " + number + ", or one behind it, is not in the encoding of the reader", e);
        }
    }

    private static final class Lines<T> implements AutoCloseable {
        private final Cursor<T> cursor;
        private final Json<T> json;
        private final OutputStream out;
        private final StringBuilder text = new StringBuilder(2 * CHUNK_CHARS);

        Lines(HugeList<T> list, Json<T> json, OutputStream out) {
            this.cursor = list.cursor();
            this.json = json;
            this.out = out;
        }

        void write(long row) {
            json.write(cursor.moveTo(row).element(), text);
            text.append('\n');
            if (text.length() >= CHUNK_CHARS) {
                close();
            }
        }

        /** Writes what is left. */
        @Override
        public void close() {
            try {
                out.write(text.toString().getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            text.setLength(0);
        }
    }
}
