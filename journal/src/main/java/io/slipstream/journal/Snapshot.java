package io.slipstream.journal;

import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.record.RecordHandler;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.UUID;

/** A snapshot that is whole: every checksum was verified when it was found. Any thread may read it. */
public final class Snapshot {
    private final Storage storage;
    private final String name;
    private final SegmentHeader header;
    private final long records;
    private final long bytes;

    Snapshot(Storage storage, String name, SegmentHeader header, long records, long bytes) {
        this.storage = storage;
        this.name = name;
        this.header = header;
        this.records = records;
        this.bytes = bytes;
    }

    /** Returns the sequence of the last record of the journal whose effect is in it. */
    public long sequence() {
        return header.number();
    }

    /** Returns how many records are in it. */
    public long records() {
        return records;
    }

    /** Returns the size of its file. */
    public long bytes() {
        return bytes;
    }

    /** Returns when it was begun. */
    public Instant time() {
        return Instant.ofEpochMilli(header.timeMillis());
    }

    UUID journalId() {
        return header.journalId();
    }

    /**
     * Hands out the records of the snapshot in the order in which they were written.
     *
     * @throws JournalException        if it was removed, because newer ones were committed since it was found: ask for
     *                                 the newest one again
     * @throws JournalCorruptException if one is damaged
     */
    public void read(RecordHandler handler) throws JournalException {
        try (SnapshotReader reader = reader()) {
            while (reader.next()) {
                handler.onRecord(reader.memory(), reader.offset(), reader.length());
            }
        }
    }

    /**
     * Opens the snapshot to read its records one by one; they stay readable until the reader is closed.
     *
     * @throws JournalException if it was removed, as with {@link #read}
     */
    public SnapshotReader reader() throws JournalException {
        try {
            return new SnapshotReader(storage, name, header);
        } catch (NoSuchFileException e) {
            throw new JournalException(
                    name + " in " + storage.description()
                            + " was removed, because newer snapshots were committed; ask for the newest one again",
                    e);
        } catch (IOException e) {
            throw new JournalException(
                    "cannot read " + name + " in " + storage.description() + ": " + JournalException.reason(e), e);
        }
    }
}
