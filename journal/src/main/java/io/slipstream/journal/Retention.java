package io.slipstream.journal;

import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.segment.SegmentSupply;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.UUID;

/** What of a journal must be kept, and how the rest is removed. */
final class Retention {
    private Retention() {}

    /**
     * Returns the sequence of the first record that must be kept, {@code wanted} at most. While there is one whole
     * snapshot alone, everything is kept: the state before it is the beginning. What this rests on is durable when it
     * returns.
     *
     * @param failure is told if a force has failed
     */
    static long bound(Storage storage, UUID journalId, Snapshots snapshots, Poison failure, long wanted)
            throws JournalException {
        try {
            return Math.min(Math.min(wanted, snapshots.firstNeeded()), neededByTailers(storage, journalId, failure));
        } catch (JournalFailedException e) {
            throw e;
        } catch (IOException e) {
            throw new JournalException(
                    "cannot tell what of the journal in " + storage.description()
                            + " is still needed: "
                            + JournalException.reason(e) + ". Nothing was removed",
                    e);
        }
    }

    private static long neededByTailers(Storage storage, UUID journalId, Poison failure) throws IOException {
        long needed = Long.MAX_VALUE;
        for (String name : storage.list()) {
            Optional<String> tailer = FileName.parseTailer(name);
            if (tailer.isPresent()) {
                needed = Math.min(needed, neededBy(storage, journalId, tailer.get(), failure));
            }
        }
        return needed;
    }

    /** Returns what a tailer needs whatever happens: a loss of power must not throw it back behind that. */
    private static long neededBy(Storage storage, UUID journalId, String tailer, Poison failure) throws IOException {
        try (PositionFile position = PositionFile.open(storage, FileName.tailer(tailer), journalId)) {
            force(position, failure);
            return position.sequence() + 1;
        } catch (NoSuchFileException e) {
            // Someone has removed the tailer a moment ago.
            return Long.MAX_VALUE;
        }
    }

    /**
     * Makes the file of {@link #announce} beforehand, so that the first trim needs no room for it. Called once the
     * first segment is durable: before, the file would look like a trace of records that are lost.
     *
     * @param trimmed what it says: the sequence of the last record that is gone, 0 if none is
     */
    static void reserve(Storage storage, UUID journalId, Poison failure, long trimmed) throws IOException {
        reserve(storage, FileName.TRIMMED, journalId, trimmed, failure);
    }

    /** Makes the file of {@link #noteEnd} beforehand, so that a close needs no room for it. */
    static void reserveEnd(Storage storage, UUID journalId, Poison failure) throws IOException {
        reserve(storage, FileName.CLOSED, journalId, 0, failure);
    }

    private static void reserve(Storage storage, String name, UUID journalId, long sequence, Poison failure)
            throws IOException {
        if (storage.list().contains(name)) {
            return;
        }
        try {
            PositionFile.create(storage, name, journalId, sequence, true);
        } catch (IOException e) {
            // Who needs it tries again.
            return;
        }
        failure.syncDirectory(storage);
    }

    /** Says outside the segments that all records up to {@code last} are durable, so that a lost end is missed. */
    static void noteEnd(Storage storage, UUID journalId, long last) {
        try {
            Optional<PositionFile.Content> found = PositionFile.find(storage, FileName.CLOSED);
            if (found.isPresent() && found.get().isWhole() && found.get().isOf(journalId)) {
                try (PositionFile closed = PositionFile.open(storage, FileName.CLOSED, journalId)) {
                    closed.move(last, true);
                    closed.force();
                }
            } else {
                PositionFile.create(storage, FileName.CLOSED, journalId, last, true);
                storage.syncDirectory();
            }
        } catch (IOException e) {
            // The records are durable and marked as closed; this is one more proof of that.
        }
    }

    /**
     * Says durably that the records before {@code bound} may be gone from now on. Without that a first segment that has
     * got lost would look like one that was trimmed.
     */
    static void announce(Storage storage, UUID journalId, Poison failure, long bound) throws JournalException {
        try {
            Optional<PositionFile.Content> found = PositionFile.find(storage, FileName.TRIMMED);
            long before = found.map(PositionFile.Content::sequence).orElse(0L);
            if (found.isPresent() && found.get().isWhole()) {
                try (PositionFile trimmed = PositionFile.open(storage, FileName.TRIMMED, journalId)) {
                    trimmed.move(Math.max(before, bound - 1), true);
                    force(trimmed, failure);
                }
            } else {
                PositionFile.create(storage, FileName.TRIMMED, journalId, Math.max(before, bound - 1), true);
                failure.syncDirectory(storage);
            }
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new JournalException(
                    "cannot write " + FileName.TRIMMED + " in " + storage.description() + ": "
                            + JournalException.reason(e)
                            + ". Nothing was removed",
                    e);
        }
    }

    private static void force(PositionFile position, Poison failure) throws JournalFailedException {
        try {
            position.force();
        } catch (IOException e) {
            throw failure.poison(e);
        }
    }

    /** Removes a segment, oldest first, so that a crash in between leaves no gap. */
    static void remove(Storage storage, SegmentSupply supply, SegmentHeader oldest) throws IOException {
        try {
            storage.delete(FileName.index(oldest.number()));
        } catch (IOException e) {
            // It is a convenience, and may not be there; one that stays says which segment it belongs to.
        }
        supply.retire(FileName.of(oldest.number()));
    }
}
