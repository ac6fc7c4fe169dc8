package io.slipstream.journal.record;

import java.lang.foreign.MemorySegment;

/** Receives records of a journal in the order of their sequences. */
@FunctionalInterface
public interface RecordHandler {
    /**
     * Handles one record, whose checksum has been verified. The memory is the reader's own and valid only during the
     * call. What it throws goes on to whoever has asked for the records; the record counts as not handled.
     *
     * @param memory where the record is
     * @param offset of the record's header in {@code memory}; see {@link JournalRecord}
     * @param length of header and payload in bytes
     */
    void onRecord(MemorySegment memory, long offset, int length);
}
