package io.slipstream.journal.tool;

import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.storage.Storage;
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
            PositionFile.create(storage, FileName.skip(sequence), journalId, sequence, true);
            storage.syncDirectory();
        }
        report.line("skipped")
                .with("sequence", sequence)
                .with("file", FileName.skip(sequence))
                .print();
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
