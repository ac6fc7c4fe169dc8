package io.slipstream.journal.segment;

import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Where in a segment some of its marks are, one for each 64 KiB or so, and the checksum of the run of bytes from each
 * of them to the next. One thread adds; any thread looks up. While the segment is being written, or after it was walked
 * through, the last run has no checksum yet.
 *
 * <p>The index of a full segment is kept in a file beside it. That file is a convenience: it is checked when it is
 * read, and if it is missing, damaged or of another version, the segment is read frame by frame from its beginning
 * instead. So is a run whose checksum is another one: only the frames say what is wrong.
 *
 * <pre>
 *    0  long  magic "SLIPINDX"                      32  long  end of the last frame
 *    8  int   format version                        40  long  end of the last run
 *   12  int   checksum of the segment's header      48  long  sequence of the record behind
 *   16  long  segment number                        56  long  the greatest durable sequence that is said in it
 *   24  int   count of entries                      64  long  offset of the last mark with all before it durable, or -1
 *   28  int   1 if the runs have checksums          72  int   epoch of the last frame
 *                                                   76  int   checksum of the last frame
 *   80  entries: long offset, long sequence, long epoch, long milliseconds since 1970, long checksum of the run
 *       int   CRC-32C of all before
 * </pre>
 */
public final class SegmentIndex {
    /** Bytes of a segment between two entries, at least. */
    public static final int INTERVAL_BYTES = 64 << 10;

    private static final long MAGIC = 0x5844_4E49_5049_4C53L;
    private static final int VERSION = 2;
    private static final int HEADER_BYTES = 80;
    private static final int FIELDS = 5;
    private static final int TIME = 3;
    private static final int CHECKSUM = 4;

    /** In place of the checksum of a run that is not known: none is like it. */
    public static final long UNKNOWN = 1L << Integer.SIZE;

    private final boolean grows;
    private volatile long[] entries = new long[16 * FIELDS];
    private volatile int count;
    private volatile @Nullable End end;

    /** A place where reading may begin: a mark, and the sequence of the record behind it. */
    public record Entry(long offset, long sequence, int epoch, long timeMillis) {}

    /**
     * What a walk through the full segment comes to.
     *
     * @param offset       where the last frame ends
     * @param runsEnd      where the last run ends: there, or with zeros up to the end of a block
     * @param nextSequence of the record that comes in the next segment
     * @param durable      the greatest durable sequence that a mark or the header gives
     * @param proofOffset  of the last mark that says that all before it was durable, or -1
     * @param epoch        of the last frame
     * @param checksum     of the last frame
     */
    public record End(
            long offset, long runsEnd, long nextSequence, long durable, long proofOffset, int epoch, int checksum) {}

    /** Creates an empty index. */
    public SegmentIndex() {
        this(true);
    }

    private SegmentIndex(boolean grows) {
        this.grows = grows;
    }

    /** Returns whether a mark at {@code offset} is far enough from the last one to be added. */
    public boolean isDue(long offset) {
        return count == 0 || offset - entries[(count - 1) * FIELDS] >= INTERVAL_BYTES;
    }

    /**
     * Adds a mark, and the checksum of the run that ends there.
     *
     * @param runChecksum of the bytes from the last entry to this one, or {@link #UNKNOWN}; any value for the first one
     */
    public void add(long offset, long sequence, int epoch, long timeMillis, long runChecksum) {
        int at = count * FIELDS;
        long[] array = entries;
        if (at == array.length) {
            array = Arrays.copyOf(array, 2 * at);
        }
        if (at > 0) {
            array[at - FIELDS + CHECKSUM] = runChecksum;
        }
        array[at] = offset;
        array[at + 1] = sequence;
        array[at + 2] = epoch;
        array[at + TIME] = timeMillis;
        entries = array;
        count++;
    }

    /** Tells where it all ends, and the checksum of the last run; from then on the runs have checksums. */
    public void end(End newEnd, int lastRunChecksum) {
        if (count > 0) {
            entries[(count - 1) * FIELDS + CHECKSUM] = lastRunChecksum;
            end = newEnd;
        }
    }

    /** Returns where it all ends, or null if the runs have no checksums. */
    public @Nullable End end() {
        return end;
    }

    /** Returns the last entry at or before {@code sequence}, or null. */
    public @Nullable Entry floorOfSequence(long sequence) {
        return floor(1, sequence);
    }

    /** Returns the last entry that was written before {@code timeMillis}, or null. */
    public @Nullable Entry lowerOfTime(long timeMillis) {
        // One behind the other: times go back where a clock that was ahead was put right.
        int at = (count - 1) * FIELDS;
        long[] array = entries;
        while (at >= 0 && array[at + TIME] >= timeMillis) {
            at -= FIELDS;
        }
        return entry(array, at);
    }

    /** Returns the time of the last entry; the least there is if there is none. */
    public long latestMillis() {
        int size = count;
        return size == 0 ? Long.MIN_VALUE : entries[(size - 1) * FIELDS + TIME];
    }

    /** Returns the number of entries. */
    public int size() {
        return count;
    }

    /** Returns how many runs have checksums, the first ones: all behind the end, all but the last before. */
    int runs() {
        return end != null ? count : grows ? count - 1 : 0;
    }

    /** Returns the number of the run that begins at {@code offset}, or of the one behind it. */
    int run(long offset) {
        return rank(0, offset - 1);
    }

    /** Returns where run {@code number} begins; behind the last one where that ends, and then no place at all. */
    long runOffset(int number) {
        End known = end;
        return number < count
                ? entries[number * FIELDS]
                : number > count || known == null ? Long.MAX_VALUE : known.runsEnd;
    }

    /** Returns the checksum of run {@code number}, or {@link #UNKNOWN}. */
    long runChecksum(int number) {
        return entries[number * FIELDS + CHECKSUM];
    }

    /** Writes the index to its file. */
    public void save(Storage storage, SegmentHeader header) throws IOException {
        int size = count;
        End known = end;
        End last = known == null ? new End(0, 0, 0, 0, 0, 0, 0) : known;
        ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + size * FIELDS * Long.BYTES + Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(MAGIC)
                .putInt(VERSION)
                .putInt(header.checksum())
                .putLong(header.number())
                .putInt(size)
                .putInt(known == null ? 0 : 1)
                .putLong(last.offset)
                .putLong(last.runsEnd)
                .putLong(last.nextSequence)
                .putLong(last.durable)
                .putLong(last.proofOffset)
                .putInt(last.epoch)
                .putInt(last.checksum);
        long[] array = entries;
        for (int i = 0; i < size * FIELDS; i++) {
            out.putLong(array[i]);
        }
        out.putInt(checksum(out)).flip();
        String name = FileName.index(header.number());
        String unfinished = name + FileName.UNFINISHED;
        try (StorageFile file = storage.createAnew(unfinished)) {
            file.writeFully(out, 0);
        }
        storage.rename(unfinished, name);
    }

    /** Reads the index of a segment from its file; returns null if there is none that fits, or it cannot be read. */
    public static @Nullable SegmentIndex load(Storage storage, SegmentHeader header) {
        ByteBuffer in;
        try (StorageFile file = storage.openForReading(FileName.index(header.number()))) {
            in = ByteBuffer.allocate((int) Math.min(file.size(), Integer.MAX_VALUE / 2))
                    .order(ByteOrder.LITTLE_ENDIAN);
            file.readFully(in, 0);
        } catch (IOException e) {
            // It is a convenience; the segment itself says what is in it.
            return null;
        }
        return isOf(header, in) ? read(in) : null;
    }

    private static boolean isOf(SegmentHeader header, ByteBuffer in) {
        int body = in.position() - Integer.BYTES;
        return body >= HEADER_BYTES
                && in.position(body).getInt(body) == checksum(in)
                && in.getLong(0) == MAGIC
                && in.getInt(8) == VERSION
                && in.getInt(12) == header.checksum()
                && in.getLong(16) == header.number()
                && in.getInt(24) == (body - HEADER_BYTES) / FIELDS / Long.BYTES;
    }

    private static SegmentIndex read(ByteBuffer in) {
        SegmentIndex index = new SegmentIndex(false);
        int size = in.getInt(24);
        long[] array = new long[Math.max(1, size) * FIELDS];
        in.position(HEADER_BYTES);
        for (int i = 0; i < size * FIELDS; i++) {
            array[i] = in.getLong();
        }
        index.entries = array;
        index.count = size;
        if (size > 0 && in.getInt(28) == 1) {
            index.end = new End(
                    in.getLong(32),
                    in.getLong(40),
                    in.getLong(48),
                    in.getLong(56),
                    in.getLong(64),
                    in.getInt(72),
                    in.getInt(76));
        }
        return index;
    }

    private @Nullable Entry floor(int field, long value) {
        return entry(entries, (rank(field, value) - 1) * FIELDS);
    }

    private static @Nullable Entry entry(long[] array, int at) {
        return at < 0 ? null : new Entry(array[at], array[at + 1], (int) array[at + 2], array[at + TIME]);
    }

    /** Returns how many entries have {@code value} or less in a field. */
    private int rank(int field, long value) {
        int low = 0;
        int high = count;
        long[] array = entries;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (array[middle * FIELDS + field] <= value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static int checksum(ByteBuffer buffer) {
        CRC32C crc = new CRC32C();
        crc.update(buffer.array(), 0, buffer.position());
        return (int) crc.getValue();
    }
}
