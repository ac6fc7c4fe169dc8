package io.slipstream.replica.wire;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.record.JournalRecord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;

/** What two sites compare of a record: everything but what each journal fills in itself. For one thread. */
public final class RecordSum {
    private final CRC32C checksum = new CRC32C();

    /** Creates one. */
    public RecordSum() {}

    /** Returns the checksum of type, version, flags and payload. */
    public long of(MemorySegment memory, long offset, int length) {
        checksum.reset();
        update(memory, offset + JournalRecord.TYPE_OFFSET, JournalRecord.EPOCH_OFFSET - JournalRecord.TYPE_OFFSET);
        update(memory, offset + JournalRecord.HEADER_BYTES, length - JournalRecord.HEADER_BYTES);
        return checksum.getValue() ^ Integer.toUnsignedLong(Frame.length(memory, offset));
    }

    private void update(MemorySegment memory, long offset, int bytes) {
        byte[] copy = memory.asSlice(offset, bytes).toArray(ValueLayout.JAVA_BYTE);
        checksum.update(copy, 0, copy.length);
    }
}
