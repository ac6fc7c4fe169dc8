package io.slipstream.journal.recovery;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.format.FrameSeal;
import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.segment.Zeros;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;

/** Looks at what lies in a file behind a place where the walk has stopped. */
final class TailInspection {
    private static final int BLOCK = JournalConfig.BLOCK_BYTES;
    private static final int SECTOR = 512;
    private static final long NONE = -1;
    private static final int LEAST_RECORD_BYTES = Frame.align(JournalRecord.HEADER_BYTES);
    private static final int MOST_LOADED_BYTES = 1 << 20;
    private static final long MOST_WASTED_BYTES = 1 << 28;

    private final Window window;
    private final FrameSeal seal = new FrameSeal(0);
    private final long missingSequence;
    private final int epoch;
    private long lastOther = NONE;
    private long evidenceOffset = NONE;
    private long distanceAtBeginning;
    private long frameEnd;
    private long wastedBytes;

    /** Looks for no evidence. */
    TailInspection(Window window) {
        this(window, NONE, 0);
    }

    /**
     * Looks for evidence that the record {@code missingSequence} was durable; in files that follow each other, from the
     * place of that record on.
     *
     * @param epoch of the last good frame before that place
     */
    TailInspection(Window window, long missingSequence, int epoch) {
        this.window = window;
        this.missingSequence = missingSequence;
        this.epoch = epoch;
    }

    /**
     * Looks at a file from {@code offset} to its end.
     *
     * @param seed of the frames in it
     */
    void inspect(StorageFile file, long offset, int seed) throws IOException {
        seal.seed(seed);
        inspect(file, offset);
    }

    /** Looks at a file from {@code offset} to its end. */
    void inspect(StorageFile file, long offset) throws IOException {
        lastOther = NONE;
        evidenceOffset = NONE;
        frameEnd = offset;
        window.clear();
        long size = file.size();
        distanceAtBeginning -= offset;
        for (long at = offset; at < size; ) {
            int bytes = (int) Math.min(size - at, BLOCK - (at & (BLOCK - 1)));
            if (!window.load(file, at, bytes)) {
                break;
            }
            long other = Zeros.lastOther(window.memory(), window.at(at), bytes);
            if (other >= 0) {
                lastOther = at + other - window.at(at);
                if (missingSequence != NONE) {
                    findEvidence(file, at, at + bytes, size);
                }
            }
            at += bytes;
        }
        distanceAtBeginning += Math.max(size, offset);
    }

    /** Returns the offset behind the last byte that is not zero, or -1. */
    long dataEnd() {
        return lastOther < 0 ? NONE : lastOther + 1;
    }

    /** Returns where the first evidence is, or -1. */
    long evidenceOffset() {
        return evidenceOffset;
    }

    /**
     * Returns whether the frame at {@code offset} bears the sign of an interrupted write: one of its sectors, or all
     * that follows some point in it, was never written. To be called after {@link #inspect} from the same offset.
     */
    boolean torn(StorageFile file, long offset, int length) throws IOException {
        long end = offset + Frame.align(Math.max(length, JournalRecord.HEADER_BYTES));
        if (end > file.size() || length > 0 && lastOther < offset + length - 1) {
            return true;
        }
        for (long at = offset; at < end; at = (at / SECTOR + 1) * SECTOR) {
            int bytes = (int) (SECTOR - at % SECTOR);
            if (window.load(file, at, bytes) && Zeros.only(window.memory(), window.at(at), bytes)) {
                return true;
            }
        }
        return length > 0 && hasHoleBehind(file, end);
    }

    /**
     * Returns whether the byte at {@code offset}, which should be another one, was written: it is not zero, or neither
     * is all of its sector, nor all that follows. An interrupted write leaves zeros.
     */
    boolean wasWritten(StorageFile file, long offset) throws IOException {
        long sector = offset & -SECTOR;
        return offset <= lastOther
                && window.load(file, sector, SECTOR)
                && !Zeros.only(window.memory(), window.at(sector), SECTOR);
    }

    /** Returns whether zeros follow up to the end of the sector although more was written behind it. */
    private boolean hasHoleBehind(StorageFile file, long end) throws IOException {
        int bytes = (int) (-end & (SECTOR - 1));
        return bytes > 0
                && lastOther >= end + bytes
                && window.load(file, end, bytes)
                && Zeros.only(window.memory(), window.at(end), bytes);
    }

    /** Returns whether a header says that the missing record was durable. */
    boolean isEvidence(SegmentHeader header) {
        return header.durableSequence() >= missingSequence;
    }

    /** Looks for a mark, not inside of frames that are whole: what is in there are the bytes of some user. */
    private void findEvidence(StorageFile file, long from, long to, long size) throws IOException {
        long first = from + (Frame.ALIGNMENT - 1) & -Frame.ALIGNMENT;
        for (long at = Math.max(first, frameEnd);
                at < to && evidenceOffset < 0;
                at = Math.max(at + Frame.ALIGNMENT, frameEnd)) {
            if (at + Mark.BYTES <= size
                    && window.load(file, at, Mark.BYTES)
                    && canBeFrame(at, size)
                    && isWhole(file, at)
                    && window.load(file, at, Mark.BYTES)) {
                frameEnd = at + Frame.align(Frame.length(window.memory(), window.at(at)));
                evidenceOffset = isEvidence(window.at(at)) ? at : NONE;
            }
        }
        window.load(file, from, (int) (to - from));
    }

    /**
     * Returns whether a frame of this journal can have this length, epoch and sequence so far behind the place of the
     * missing record.
     */
    private boolean canBeFrame(long at, long size) {
        int length = Frame.length(window.memory(), window.at(at));
        long distance = distanceAtBeginning + at;
        long ahead = JournalRecord.sequence(window.memory(), window.at(at)) - missingSequence;
        long later = (long) JournalRecord.epoch(window.memory(), window.at(at)) - epoch;
        return length >= JournalRecord.HEADER_BYTES
                && length <= size - at
                && ahead >= 0
                && ahead <= distance / LEAST_RECORD_BYTES
                && later >= 0
                && later <= 1 + distance / SECTOR;
    }

    /**
     * Returns whether the checksum of a frame is right. Those of any, when that was wrong too often, are not looked at:
     * then a mark in there counts, and the journal is refused rather than cut.
     */
    private boolean isWhole(StorageFile file, long at) throws IOException {
        int length = Frame.length(window.memory(), window.at(at));
        if (length != Mark.LENGTH && wastedBytes > MOST_WASTED_BYTES) {
            return false;
        }
        int bytes = Frame.align(length);
        int tag = Frame.tag(window.memory(), window.at(at));
        if (bytes <= MOST_LOADED_BYTES
                ? window.load(file, at, bytes) && seal.checksum(window.buffer(), window.at(at), length) == tag
                : isWhole(file, at, length, tag)) {
            return true;
        }
        wastedBytes += bytes;
        return false;
    }

    /** A length that is not one of a frame must not make the window grow. */
    private boolean isWhole(StorageFile file, long at, int length, int tag) throws IOException {
        long end = at + Frame.align(length);
        seal.begin();
        for (long from = at + JournalRecord.TYPE_OFFSET; from < end; ) {
            int bytes = (int) Math.min(end - from, MOST_LOADED_BYTES);
            if (!window.load(file, from, bytes)) {
                return false;
            }
            seal.update(window.buffer(), window.at(from), bytes);
            from += bytes;
        }
        return seal.end(length) == tag;
    }

    private boolean isEvidence(int at) {
        long durable = Mark.durableSequence(window.memory(), at);
        return Frame.length(window.memory(), at) == Mark.LENGTH
                && JournalRecord.type(window.memory(), at) == Mark.TYPE
                && durable >= missingSequence
                && durable < JournalRecord.sequence(window.memory(), at);
    }
}
