package io.slipstream.data.list;

import io.slipstream.data.arrow.ArrowBatch;
import io.slipstream.data.arrow.ArrowOutput;
import io.slipstream.data.arrow.StreamChannel;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes a list in the IPC format of Apache Arrow, as a file or as a stream, straight from its columns. A record batch
 * has up to 65,536 elements, fewer if their texts are long, and the memory of one batch is all that is needed.
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

    /** Writes batches of at most so many rows, and so many bytes of each text unless one row alone has more. */
    static void write(HugeList<?> list, WritableByteChannel to, boolean isFile, int batchRows, int textBytes)
            throws IOException {
        long size = list.size();
        try (ArrowColumns columns = new ArrowColumns(list, batchRows, textBytes)) {
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
