package io.slipstream.journal.tool;

import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.record.RecordHandler;
import io.slipstream.journal.segment.SegmentScan;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads the records of a journal from outside, also while another process appends to it. It changes nothing, takes no
 * lock and needs no room, so that it can read on a device that is full or read-only. What it reads was written, but
 * need not be durable. For one thread.
 */
public final class RecordWalk implements AutoCloseable {
    private final Storage storage;
    private final FolderWalk walk;
    private final long fromSequence;

    /**
     * Begins before the oldest record of the journal in {@code folder}.
     *
     * @throws IOException if the folder cannot be read
     */
    public RecordWalk(Path folder) throws IOException {
        this(folder, 1);
    }

    /**
     * Begins before the record {@code fromSequence}, or the oldest one if that is behind it.
     *
     * @throws IOException if the folder cannot be read
     */
    public RecordWalk(Path folder, long fromSequence) throws IOException {
        this(FileStorage.openExisting(folder), fromSequence);
    }

    RecordWalk(Storage storage, long fromSequence) throws IOException {
        this.storage = storage;
        this.fromSequence = fromSequence;
        walk = new FolderWalk(storage);
        walk.seek(fromSequence);
    }

    /**
     * Hands out what is there, up to the end as it is now, or to damage; the next call goes on from there.
     *
     * @return how many records there were
     */
    public long poll(RecordHandler handler) throws IOException {
        long count = 0;
        while (true) {
            switch (walk.next()) {
                case RECORD -> {
                    SegmentScan scan = walk.scan();
                    if (JournalRecord.sequence(scan.memory(), scan.memoryOffset()) < fromSequence) {
                        continue;
                    }
                    handler.onRecord(scan.memory(), scan.memoryOffset(), scan.length());
                    count++;
                }
                case DAMAGE, END -> {
                    return count;
                }
                default -> {
                    // Marks and the beginnings of segments hold nothing for a reader.
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        walk.close();
        storage.close();
    }
}
