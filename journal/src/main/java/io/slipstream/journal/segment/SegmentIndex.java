package io.slipstream.journal.segment;

import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Where in a segment some of its marks are, one for each 64 KiB or so. One thread adds; any thread looks up.
 *
 * <p>The index of a full segment is kept in a file beside it. That file is a convenience: it is checked when it is
 * read, and
 * if it is missing or damaged, the segment is read from its beginning instead.
 *
 * <pre>
 *    0  long  magic "SLIPINDX"      24  int   count of entries
 *    8  int   format version        28  entries: long offset, long sequence, long epoch, long milliseconds since 1970
 *   12  int   segment's checksum        int   CRC-32C of all before
 *   16  long  segment number
 * </pre>
 */
public final class SegmentIndex {
    /** Bytes of a segment between two entries, at least. */
    public static final int INTERVAL_BYTES = 64 << 10;

    private static final long MAGIC = 0x5844_4E49_5049_4C53L;
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 28;
    private static final int FIELDS = 4;

    private volatile long[] entries = new long[16 * FIELDS];
    private volatile int count;

    /** A place where reading may begin: a mark, and the sequence of the record behind it. */
    public record Entry(long offset, long sequence, int epoch, long timeMillis) {
    }

    /** Creates an empty index. */
    public SegmentIndex() {
    }

    /** Adds a mark, unless the last one is near. */
    public void add(long offset, long sequence, int epoch, long timeMillis) {
        int at = count * FIELDS;
        long[] array = entries;
        if (at > 0 && offset - array[at - FIELDS] < INTERVAL_BYTES) {
            return;
        }
        if (at == array.length) {
            array = Arrays.copyOf(array, 2 * at);
            entries = array;
        }
        array[at] = offset;
        array[at + 1] = sequence;
        array[at + 2] = epoch;
        array[at + 3] = timeMillis;
        count++;
    }

    /** Returns the last entry at or before {@code sequence}, or null. */
    public @Nullable Entry floorOfSequence(long sequence) {
        return floor(1, sequence);
    }

    /** Returns the last entry that was written before {@code timeMillis}, or null. */
    public @Nullable Entry lowerOfTime(long timeMillis) {
        return floor(3, timeMillis - 1);
    }

    /** Returns the number of entries. */
    public int size() {
        return count;
    }

    /** Writes the index to its file. */
    public void save(Storage storage, SegmentHeader header) throws IOException {
        int size = count;
        ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + size * FIELDS * Long.BYTES + Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(MAGIC).putInt(VERSION).putInt(identity(header)).putLong(header.number()).putInt(size);
        long[] array = entries;
        for (int i = 0; i < size * FIELDS; i++) {
            out.putLong(array[i]);
        }
        out.putInt(checksum(out)).flip();
        String name = SegmentName.index(header.number());
        String unfinished = name + SegmentName.UNFINISHED;
        try (StorageFile file = storage.create(unfinished)) {
            file.writeFully(out, 0);
        }
        storage.rename(unfinished, name);
    }

    /** Reads the index of a segment from its file; returns null if there is none that fits. */
    public static @Nullable SegmentIndex load(Storage storage, SegmentHeader header) throws IOException {
        String name = SegmentName.index(header.number());
        if (!storage.list().contains(name)) {
            return null;
        }
        ByteBuffer in;
        try (StorageFile file = storage.openForReading(name)) {
            in = ByteBuffer.allocate((int) Math.min(file.size(), Integer.MAX_VALUE / 2)).order(ByteOrder.LITTLE_ENDIAN);
            int read = 0;
            while (in.hasRemaining() && read >= 0) {
                read = file.read(in, in.position());
            }
        }
        int end = in.position() - Integer.BYTES;
        if (end < HEADER_BYTES || in.position(end).getInt(end) != checksum(in) || in.getLong(0) != MAGIC
                || in.getInt(8) != VERSION || in.getInt(12) != identity(header) || in.getLong(16) != header.number()) {
            return null;
        }
        SegmentIndex index = new SegmentIndex();
        int size = in.getInt(24);
        long[] array = new long[Math.max(1, size) * FIELDS];
        in.position(HEADER_BYTES);
        for (int i = 0; i < size * FIELDS; i++) {
            array[i] = in.getLong();
        }
        index.entries = array;
        index.count = size;
        return index;
    }

    private @Nullable Entry floor(int field, long value) {
        int size = count;
        long[] array = entries;
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (array[middle * FIELDS + field] <= value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int at = (low - 1) * FIELDS;
        return low == 0 ? null : new Entry(array[at], array[at + 1], (int) array[at + 2], array[at + 3]);
    }

    private static int identity(SegmentHeader header) {
        return header.hashCode();
    }

    private static int checksum(ByteBuffer buffer) {
        CRC32C crc = new CRC32C();
        crc.update(buffer.array(), 0, buffer.position());
        return (int) crc.getValue();
    }
}
