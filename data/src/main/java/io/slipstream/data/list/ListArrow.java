package io.slipstream.data.list;

import io.slipstream.data.arrow.ArrowBatch;
import io.slipstream.data.arrow.ArrowInput;
import io.slipstream.data.arrow.ArrowOutput;
import io.slipstream.data.arrow.StreamChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes a list in the IPC format of Apache Arrow, as a file or as a stream, straight from its columns, and adds what
 * either has to one. A record batch has up to 65,536 elements, fewer if their texts are long, and the memory of one
 * batch is all that is needed.
 *
 * <pre>
 *   boolean byte short int long float double   Bool, Int8 to Int64, Float32, Float64
 *   char                                       UInt16: a UTF-16 unit
 *   enum                                       Dictionary of Utf8
 *   String                                     Utf8
 *   BigDecimal                                 Decimal128, 19 digits, with its scale
 *   Instant, Duration, LocalDate               Timestamp and Duration in nanoseconds (UTC), Date32
 *   UUID                                       FixedSizeBinary(16), extension arrow.uuid
 *   nested record                              Struct
 * </pre>
 *
 * <p>What is absent is null. Any thread may write, beside the owner: all elements that there are when it begins. Where
 * the owner meanwhile overwrites a field of a row, the row has either value.
 */
public final class ListArrow {
    private static final int BATCH_ROWS = 1 << 16;
    private static final int BATCH_TEXT_BYTES = 1 << 23;

    private ListArrow() {}

    /**
     * Writes a file, which replaces the one that is there only when it is whole: until then it is one beside it, with
     * {@code .part} after its name. Nothing is forced to the device.
     *
     * @throws IOException if it cannot be written; then there is no new file, and the former one stands
     */
    public static void writeFile(HugeList<?> list, Path file) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            // An interrupt closes a channel, but not this stream.
            try (OutputStream out = Files.newOutputStream(part)) {
                writeFile(list, out);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            delete(part, e);
            throw new IOException(file + " cannot be written: " + e.getMessage(), e);
        } catch (Throwable e) {
            delete(part, e);
            throw e;
        }
    }

    private static void delete(Path part, Throwable because) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }

    /**
     * Writes what a file has to {@code out}.
     *
     * @throws IOException from {@code out}, which stays the caller's to close
     */
    public static void writeFile(HugeList<?> list, OutputStream out) throws IOException {
        write(list, new StreamChannel(out), true, BATCH_ROWS, BATCH_TEXT_BYTES);
        out.flush();
    }

    /**
     * Writes a stream, which a reader can take in batch by batch.
     *
     * @throws IOException from {@code out}, which stays the caller's to close
     */
    public static void writeStream(HugeList<?> list, OutputStream out) throws IOException {
        write(list, new StreamChannel(out), false, BATCH_ROWS, BATCH_TEXT_BYTES);
        out.flush();
    }

    /**
     * Adds an element for each row of a file of Arrow, or of a file with a stream in it. Columns are found by the
     * names of the fields, in any order, and must have the types that are written, or some that lose nothing: shorter
     * whole numbers, {@code float} for {@code double}, decimals of fewer places, times in other units, texts of any
     * form and for enums, {@code date64}. They are compared before anything is added. A column that is lacking is
     * null, or empty if it is a text. What is compressed is not read. For the owner.
     *
     * @return how many elements were added
     * @throws IllegalArgumentException if there is a column that the list has no field for, none for a field that is
     *         not optional, or one of another type: then nothing is added. Or if a row does not fit: the message names
     *         row, counted from 0, and column, and the elements before it stay
     * @throws IOException if the file cannot be read, is no Arrow or damaged, or if the disk of the list is full: the
     *         elements before stay
     */
    public static long read(HugeList<?> list, Path from) throws IOException {
        try (ArrowInput in = ArrowInput.of(from)) {
            return new ArrowImport(list, in).read();
        }
    }

    /**
     * As {@link #read(HugeList, Path)}, of what comes by a stream: one of Arrow, or a file that has its schema at its
     * beginning, too, as not every one of Polars has.
     *
     * @throws IOException also from {@code from}, which stays the caller's to close
     */
    public static long read(HugeList<?> list, InputStream from) throws IOException {
        try (ArrowInput in = ArrowInput.of(from)) {
            return new ArrowImport(list, in).read();
        }
    }

    /** Writes batches of at most so many rows, and so many bytes of each text unless one row alone has more. */
    static void write(HugeList<?> list, WritableByteChannel to, boolean isFile, int batchRows, int textBytes)
            throws IOException {
        try (ArrowColumns columns = new ArrowColumns(list, batchRows, textBytes)) {
            long size = columns.size();
            ArrowOutput out = new ArrowOutput(to, isFile, columns.fields());
            columns.writeDictionaries(out);
            long row = 0;
            while (row < size) {
                int rows = columns.moveTo(row, size);
                ArrowBatch batch = new ArrowBatch(rows);
                columns.addTo(batch);
                out.batch(batch);
                row += rows;
            }
            out.end();
        }
    }
}
