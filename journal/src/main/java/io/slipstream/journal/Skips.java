package io.slipstream.journal;

import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The records that replay passes over, because somebody has said so with {@code slipstream journal skip}: each by a
 * file of its own in the journal's folder. They are still in the journal, and a reader hands them out; who replays asks
 * here. Any thread.
 */
public final class Skips {
    private final long[] sequences;

    private Skips(long[] sequences) {
        this.sequences = sequences;
    }

    /** Reads them all; a damaged one is refused, since replay would diverge without it. */
    static Skips load(Storage storage, UUID journalId) throws IOException {
        long[] found = storage.list().stream()
                .map(FileName::parseSkip)
                .filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong)
                .sorted()
                .toArray();
        for (long sequence : found) {
            try (PositionFile file = PositionFile.open(storage, FileName.skip(sequence), journalId)) {
                if (file.sequence() != sequence) {
                    throw new JournalException(FileName.skip(sequence) + " in " + storage.description()
                            + " is of record " + file.sequence() + "; give it its name back");
                }
            }
        }
        return new Skips(found);
    }

    /** Returns whether replay is to pass over the record {@code sequence}. */
    public boolean contains(long sequence) {
        return Arrays.binarySearch(sequences, sequence) >= 0;
    }

    /** Returns the sequences of all of them, ascending. */
    public long[] sequences() {
        return sequences.clone();
    }

    /** Removes what belongs to records that were trimmed. */
    void removeBefore(Storage storage, long first) throws IOException {
        for (long sequence : sequences) {
            if (sequence < first) {
                try {
                    storage.delete(FileName.skip(sequence));
                } catch (NoSuchFileException e) {
                    // It was removed by an earlier trim.
                }
            }
        }
    }
}
