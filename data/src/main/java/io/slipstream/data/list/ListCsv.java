package io.slipstream.data.list;

import io.slipstream.data.column.RowSet;
import io.slipstream.data.schema.Type;
import io.slipstream.data.text.CsvFormat;
import io.slipstream.data.text.CsvReader;
import io.slipstream.data.text.CsvWriter;
import io.slipstream.data.text.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Writes a list as CSV, and adds records of CSV to one. The first record has the names of the fields, those of nested
 * records as {@code leg.price}. A value that is absent is an empty field; an empty text is two quotes. Decimals keep
 * their digits; times are as in ISO 8601, enum constants by name.
 */
public final class ListCsv {
    private static final int CHUNK_BYTES = 1 << 16;

    private ListCsv() {}

    /**
     * Writes all elements that there are when it begins. Any thread, beside the owner.
     *
     * @throws IOException from {@code out}, which stays the caller's to close
     */
    public static void write(HugeList<?> list, OutputStream out) throws IOException {
        try (Lines lines = new Lines(list, out)) {
            long rows = list.size();
            for (long row = 0; row < rows; row++) {
                lines.write(row);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Writes the elements of {@code rows}. */
    public static void write(HugeList<?> list, RowSet rows, OutputStream out) throws IOException {
        try (Lines lines = new Lines(list, out)) {
            rows.forEach(lines::write);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Writes the elements of {@code rows}, in their order. */
    public static void write(HugeList<?> list, LongStream rows, OutputStream out) throws IOException {
        try (Lines lines = new Lines(list, out)) {
            rows.forEachOrdered(lines::write);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * Adds an element for each record behind the heading, which the reader must not have read yet. Fields are found by
     * their names, in any order; one that the heading lacks is absent, or empty if it is a text. For the owner.
     *
     * @return how many elements were added
     * @throws IllegalArgumentException if the heading has a field that the list has not, or lacks one that must be
     *         there, or a record does not fit: the message names record and field. The elements before it stay
     * @throws IOException from the reader, or if the disk is full
     */
    public static long read(HugeList<?> list, CsvReader from) throws IOException {
        if (!from.next()) {
            throw new IllegalArgumentException("there is no heading with the names of the fields");
        }
        List<CsvField> fields = heading(list, from);
        long count = 0;
        while (from.next()) {
            if (from.fieldCount() != fields.size()) {
                throw new IllegalArgumentException("record " + from.records() + " has " + from.fieldCount()
                        + " fields, but the heading has " + fields.size());
            }
            list.addRow(cursor -> fill(cursor, fields, from));
            count++;
        }
        return count;
    }

    private static List<CsvField> heading(HugeList<?> list, CsvReader from) {
        List<CsvField> all = CsvField.of(list);
        List<CsvField> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < from.fieldCount(); i++) {
            String name = from.stringAt(i);
            String shown = from.quotedAt(i);
            CsvField field = all.stream()
                    .filter(f -> f.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the heading has " + shown + ", but "
                            + list.schema().name() + " has "
                            + all.stream().map(CsvField::name).toList()));
            if (!names.add(name)) {
                throw new IllegalArgumentException("the heading has " + shown + " twice");
            }
            fields.add(field);
        }
        for (CsvField field : all) {
            boolean canLack = field.column().property().field().isOptional()
                    || field.column().type() instanceof Type.Text && !list.isIdentity(field.number())
                    || !field.groups().isEmpty();
            if (!names.contains(field.name()) && !canLack) {
                throw new IllegalArgumentException("the heading lacks '" + field.name() + "', which is not optional");
            }
        }
        return fields;
    }

    private static void fill(Cursor<?> cursor, List<CsvField> fields, CsvReader from) {
        for (int i = 0; i < fields.size(); i++) {
            CsvField field = fields.get(i);
            if (field.isThere(from, i)) {
                cursor.showRecords(field.groups());
            }
        }
        for (int i = 0; i < fields.size(); i++) {
            CsvField field = fields.get(i);
            if (cursor.hasRecords(field.groups())) {
                try {
                    cursor.writeValue(field.number(), field.read(from, i));
                } catch (IllegalArgumentException | DateTimeException e) {
                    throw new IllegalArgumentException(
                            "record " + from.records() + ", " + field.name() + ": " + e.getMessage(), e);
                }
            }
        }
    }

    private static final class Lines implements AutoCloseable {
        private final List<CsvField> fields;
        private final Cursor<?> cursor;
        private final OutputStream out;
        private final TextBuffer text = new TextBuffer(2 * CHUNK_BYTES);
        private final CsvWriter csv = new CsvWriter(text, CsvFormat.RFC_4180);

        Lines(HugeList<?> list, OutputStream out) {
            this.fields = CsvField.of(list);
            this.cursor = list.cursor();
            this.out = out;
            fields.forEach(field -> csv.field(field.name()));
            csv.endRecord();
        }

        void write(long row) {
            cursor.moveTo(row);
            for (CsvField field : fields) {
                field.write(cursor, csv);
            }
            csv.endRecord();
            if (text.length() >= CHUNK_BYTES) {
                close();
            }
        }

        /** Writes what is left. */
        @Override
        public void close() {
            try {
                text.writeTo(out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            text.clear();
        }
    }
}
