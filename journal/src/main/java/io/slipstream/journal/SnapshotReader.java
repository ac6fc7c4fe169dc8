package io.slipstream.journal;

import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.segment.SegmentScan;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Reads the records of a snapshot one by one, in the order in which they were written. For one thread. */
public final class SnapshotReader implements AutoCloseable {
    private final String name;
    private final String folder;
    private final StorageFile file;
    private final SegmentScan scan;

    SnapshotReader(Storage storage, String name, SegmentHeader header) throws IOException {
        this.name = name;
        this.folder = storage.description();
        this.file = storage.openForReading(name);
        this.scan = new SegmentScan(file, header, new Window(Snapshots.WINDOW_BYTES));
    }

    /**
     * Goes on to the next record; returns false if there is none.
     *
     * @throws JournalCorruptException if it is damaged
     */
    public boolean next() throws JournalException {
        try {
            SegmentScan.Step step = scan.next();
            while (step == SegmentScan.Step.MARK) {
                step = scan.next();
            }
            if (step == SegmentScan.Step.DAMAGE) {
                throw new JournalCorruptException(
                        name,
                        scan.offset(),
                        name + " in " + folder + " is damaged at offset " + scan.offset() + ": " + scan.damage());
            }
            return step == SegmentScan.Step.RECORD;
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw cannotRead(e);
        }
    }

    /** Returns the memory that holds the record; valid until the next record. */
    public MemorySegment memory() {
        return scan.memory();
    }

    /** Returns the offset of the record's header. */
    public long offset() {
        return scan.memoryOffset();
    }

    /** Returns the length of header and payload in bytes. */
    public int length() {
        return scan.length();
    }

    @Override
    public void close() throws JournalException {
        try {
            file.close();
        } catch (IOException e) {
            throw cannotRead(e);
        }
    }

    private JournalException cannotRead(IOException e) {
        return new JournalException("cannot read " + name + " in " + folder + ": " + JournalException.reason(e), e);
    }
}
