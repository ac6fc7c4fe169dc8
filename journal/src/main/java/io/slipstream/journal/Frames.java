package io.slipstream.journal;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.record.JournalRecord;
import java.lang.foreign.MemorySegment;

/** Checks what callers hand in. */
final class Frames {
    private Frames() {}

    /** Requires that there are whole frames, side by side, which are records. */
    static void requireRecords(MemorySegment memory, long offset, int bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("an append has one frame at least, not " + bytes + " bytes");
        }
        if (offset < 0 || offset > memory.byteSize() - bytes) {
            throw new IllegalArgumentException("there are no " + bytes + " bytes from offset " + offset
                    + " on in memory of "
                    + memory.byteSize() + " bytes");
        }
        if (memory.isReadOnly()) {
            throw new IllegalArgumentException(
                    "the frames are in read-only memory; sequences and checksums are written there, too");
        }
        long end = offset + bytes;
        for (long at = offset; at < end; ) {
            int length = Frame.length(memory, at);
            if (length >= JournalRecord.HEADER_BYTES && length <= end - at && Frame.align(length) > end - at) {
                throw new IllegalArgumentException("the record at offset " + at + " has " + length + " bytes, and "
                        + Frame.align(length) + " with the padding that belongs to it (Frame.align); only "
                        + (end - at) + " bytes are given");
            }
            if (length < JournalRecord.HEADER_BYTES || length > end - at) {
                throw new IllegalArgumentException("a frame at offset " + at + " with " + (end - at)
                        + " bytes to the end cannot have the length " + length);
            }
            if (JournalRecord.type(memory, at) < 0) {
                throw new IllegalArgumentException("the record at offset " + at + " has type "
                        + JournalRecord.type(memory, at)
                        + "; negative types are the journal's own");
            }
            at += Frame.align(length);
        }
    }
}
