package io.slipstream.journal.tool;

import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.recovery.SegmentFile;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.UUID;

/** Marks records that replay is to pass over. For one thread. */
final class Skip {
    private final Storage storage;
    private final Report report;

    Skip(Storage storage, Report report) {
        this.storage = storage;
        this.report = report;
    }

    void add(long sequence) throws IOException {
        try (Closeable _ = storage.lock()) {
            UUID journalId = find(sequence);
            force();
            // It proves nothing: behind a force that has failed, one that succeeds does not, either.
            PositionFile.create(storage, FileName.skip(sequence), journalId, sequence, false);
            storage.syncDirectory();
        }
        report.line("skipped")
                .with("sequence", sequence)
                .with("file", FileName.skip(sequence))
                .print();
    }

    /** Below SYNC the record may not be on the device yet: a loss of power would leave a mark without it. */
    private void force() throws IOException {
        for (SegmentFile segment : SegmentFile.list(storage)) {
            try (StorageFile file = storage.open(segment.name())) {
                file.force();
            }
        }
        storage.syncDirectory();
    }

    /** Requires that the record is there, and returns the id of its journal. */
    private UUID find(long sequence) throws IOException {
        try (FolderWalk walk = new FolderWalk(storage)) {
            walk.seek(sequence);
            FolderWalk.Step step = walk.next();
            while (step == FolderWalk.Step.SEGMENT || step == FolderWalk.Step.MARK || step == FolderWalk.Step.RECORD) {
                if (step == FolderWalk.Step.RECORD && walk.scan().nextSequence() - 1 >= sequence) {
                    break;
                }
                step = walk.next();
            }
            if (step != FolderWalk.Step.RECORD || walk.scan().nextSequence() - 1 != sequence) {
                throw new JournalException("there is no record " + sequence + " in " + storage.description()
                        + "; `slipstream journal stat` says which there are");
            }
            return walk.header().journalId();
        }
    }
}
