package io.slipstream.journal.segment;

import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.util.zip.CRC32C;

/**
 * Compares the runs of a segment, one after another, with the checksums that its index gives for them: one checksum
 * over tens of kilobytes costs a fraction of those of the frames in them. For one thread.
 */
public final class RunCheck {
    private final SegmentIndex index;
    private final CRC32C crc = new CRC32C();
    private int number;

    /** Begins with the first run. */
    public RunCheck(SegmentIndex index) {
        this.index = index;
    }

    /** Goes to the first run that begins at {@code position} or behind it, and returns where. */
    long at(long position) {
        number = index.run(position);
        return offset();
    }

    /** Returns where the current run begins; behind the last one, where that ends. */
    long offset() {
        return index.runOffset(number);
    }

    /**
     * Returns whether the current run, if it is no larger than the window, has its checksum; it is then in the window
     * as a whole. Goes to the next one.
     */
    boolean prove(StorageFile file, Window window) throws IOException {
        long from = offset();
        if (number >= index.runs()) {
            number = Integer.MAX_VALUE;
            return false;
        }
        long bytes = index.runOffset(number + 1) - from;
        boolean whole = bytes > 0 && bytes <= window.capacity() && window.load(file, from, (int) bytes);
        boolean proven = whole && checksum(window, from, (int) bytes) == index.runChecksum(number);
        number++;
        return proven;
    }

    /**
     * Returns whether all runs have their checksums, from the first frame of the segment to {@link
     * SegmentIndex.End#runsEnd}.
     */
    public static boolean provesAll(SegmentIndex index, StorageFile file, Window window) throws IOException {
        RunCheck check = new RunCheck(index);
        SegmentIndex.End end = index.end();
        if (end == null || check.at(0) != SegmentHeader.BYTES) {
            return false;
        }
        window.clear();
        while (check.number < index.size()) {
            long to = index.runOffset(check.number + 1);
            if (!check.provesInParts(file, window, to)) {
                return false;
            }
            check.number++;
        }
        return true;
    }

    /**
     * Returns the checksum of the bytes from the last entry of {@code index} up to {@code offset}, which are then in
     * the window; {@link SegmentIndex#UNKNOWN} if they are more than it holds, or cannot be read.
     */
    public static long ofLastRun(SegmentIndex index, long offset, StorageFile file, Window window) throws IOException {
        long from = index.runOffset(index.size() - 1);
        long bytes = offset - from;
        return bytes <= window.capacity() && window.load(file, from, (int) bytes)
                ? new RunCheck(index).checksum(window, from, (int) bytes)
                : SegmentIndex.UNKNOWN;
    }

    private boolean provesInParts(StorageFile file, Window window, long to) throws IOException {
        crc.reset();
        for (long at = offset(); at < to; ) {
            int bytes = (int) Math.min(to - at, window.available(file, at));
            if (bytes <= 0) {
                return false;
            }
            crc.update(window.buffer().limit(window.at(at) + bytes).position(window.at(at)));
            at += bytes;
        }
        return (int) crc.getValue() == index.runChecksum(number);
    }

    private int checksum(Window window, long from, int bytes) {
        crc.reset();
        crc.update(window.buffer().limit(window.at(from) + bytes).position(window.at(from)));
        return (int) crc.getValue();
    }
}
