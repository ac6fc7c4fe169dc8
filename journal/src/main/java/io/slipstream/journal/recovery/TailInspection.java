package io.slipstream.journal.recovery;

import io.slipstream.core.ring.Frame;
import io.slipstream.journal.JournalConfig;
import io.slipstream.journal.Record;
import io.slipstream.journal.segment.FrameSeal;
import io.slipstream.journal.segment.Mark;
import io.slipstream.journal.segment.SegmentHeader;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.segment.Zeros;
import io.slipstream.journal.storage.StorageFile;

import java.io.IOException;

/** Looks at what lies in a file behind a place where the walk has stopped. */
final class TailInspection {
    private static final int BLOCK = JournalConfig.BLOCK_BYTES;
    private static final int SECTOR = 512;
    private static final long NONE = -1;

    private final Window window;
    private final FrameSeal seal = new FrameSeal();
    private final long missingSequence;
    private long lastOther = NONE;
    private long evidenceOffset = NONE;

    /** Looks for evidence that the record {@code missingSequence} was durable. */
    TailInspection(Window window, long missingSequence) {
        this.window = window;
        this.missingSequence = missingSequence;
    }

    /** Looks at a file from {@code offset} to its end. */
    void inspect(StorageFile file, long offset) throws IOException {
        lastOther = NONE;
        evidenceOffset = NONE;
        window.clear();
        long size = file.size();
        for (long at = offset; at < size; ) {
            int bytes = (int) Math.min(size - at, BLOCK - (at & (BLOCK - 1)));
            if (!window.load(file, at, bytes)) {
                break;
            }
            long other = Zeros.lastOther(window.memory(), window.at(at), bytes);
            if (other >= 0) {
                lastOther = at + other - window.at(at);
                findEvidence(file, at, at + bytes, size);
            }
            at += bytes;
        }
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
        long end = offset + Frame.align(Math.max(length, Record.HEADER_BYTES));
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

    /** Returns whether zeros follow up to the end of the sector although more was written behind it. */
    private boolean hasHoleBehind(StorageFile file, long end) throws IOException {
        int bytes = (int) (-end & (SECTOR - 1));
        return bytes > 0 && lastOther >= end + bytes && window.load(file, end, bytes)
                && Zeros.only(window.memory(), window.at(end), bytes);
    }

    /** Returns whether a header says that the missing record was durable. */
    boolean isEvidence(SegmentHeader header) {
        return header.durableSequence() >= missingSequence;
    }

    private void findEvidence(StorageFile file, long from, long to, long size) throws IOException {
        for (long at = from + (Frame.ALIGNMENT - 1) & -Frame.ALIGNMENT; at < to; at += Frame.ALIGNMENT) {
            if (evidenceOffset < 0 && at + Mark.BYTES <= size && window.load(file, at, Mark.BYTES)
                    && isEvidence(window.at(at))) {
                evidenceOffset = at;
            }
        }
        window.load(file, from, (int) (to - from));
    }

    private boolean isEvidence(int at) {
        return Frame.length(window.memory(), at) == Mark.LENGTH && Record.type(window.memory(), at) == Mark.TYPE
                && Mark.durableSequence(window.memory(), at) >= missingSequence
                && seal.checksum(window.buffer(), at, Mark.LENGTH) == Frame.tag(window.memory(), at);
    }
}
