package io.slipstream.journal;

import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.segment.SegmentScan;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots in a journal's folder. A snapshot is a file like a segment: a header, records, and a closing mark. It
 * is written under another name, forced, renamed, and its name is made durable; the one before stays until then, and
 * on. Any thread may use them.
 */
public final class Snapshots {
    static final int WINDOW_BYTES = 1 << 18;
    private static final int LEAST_KEPT = 2;

    private final Storage storage;
    private final UUID journalId;
    private final Journal journal;
    private final Set<Long> verified = ConcurrentHashMap.newKeySet();
    private final Set<Long> begun = new HashSet<>();
    private volatile int most = LEAST_KEPT;
    private boolean closed;

    Snapshots(Storage storage, UUID journalId, Journal journal) {
        this.storage = storage;
        this.journalId = journalId;
        this.journal = journal;
    }

    /**
     * Begins a snapshot of the state behind the record {@code sequence}; any thread may.
     *
     * @param sequence of that record, 0 if there is none before
     * @throws IllegalStateException if one of this sequence was begun, and neither committed nor closed
     * @throws JournalException      if the file cannot be created, or the journal is closed
     */
    public synchronized SnapshotWriter begin(long sequence) throws JournalException {
        if (sequence < 0) {
            throw new IllegalArgumentException("a snapshot is of the state behind a record from 0 on, not " + sequence);
        }
        requireOpen();
        if (!begun.add(sequence)) {
            throw new IllegalStateException(
                    "a snapshot of the state behind record " + sequence + " is being written already");
        }
        SegmentHeader header = new SegmentHeader(
                journalId,
                sequence,
                Long.MAX_VALUE,
                journal.epoch(),
                1,
                0,
                journal.timeMillis(),
                0,
                0,
                JournalConfig.BLOCK_BYTES);
        try {
            return new SnapshotWriter(this, storage, header);
        } catch (IOException e) {
            begun.remove(sequence);
            throw new JournalException(
                    "cannot begin a snapshot in " + storage.description() + ": " + JournalException.reason(e), e);
        } catch (RuntimeException | Error e) {
            begun.remove(sequence);
            throw e;
        }
    }

    /**
     * Keeps that many snapshots, and with them the log behind the oldest of them; two, if nothing is said.
     *
     * @param count 2 or more, so that there is one to fall back to
     */
    public void keep(int count) {
        if (count < LEAST_KEPT) {
            throw new IllegalArgumentException("at least " + LEAST_KEPT + " snapshots are kept, so that there is one"
                    + " to fall back to, not " + count);
        }
        most = count;
    }

    /**
     * Finds the newest snapshot that is whole and not ahead of the journal; a damaged one is passed over. Those before
     * it are not read.
     */
    public Optional<Snapshot> newest() throws JournalException {
        try {
            for (long sequence : sequences(storage).reversed()) {
                Snapshot snapshot = verifyOwn(sequence);
                if (snapshot != null) {
                    return Optional.of(snapshot);
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** Finds all snapshots that are whole and not ahead of the journal, oldest first. */
    public List<Snapshot> valid() throws JournalException {
        try {
            List<Snapshot> found = new ArrayList<>();
            for (long sequence : sequences(storage)) {
                Snapshot snapshot = verifyOwn(sequence);
                if (snapshot != null) {
                    found.add(snapshot);
                }
            }
            return found;
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** Returns the sequences of all snapshots, oldest first: of those that are damaged, too. */
    public List<Long> sequences() throws JournalException {
        try {
            return sequences(storage);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private JournalException unreadable(IOException e) {
        return new JournalException(
                "cannot read the snapshots in " + storage.description() + ": " + JournalException.reason(e), e);
    }

    /**
     * Returns the sequence of the first record that must be kept for the sake of the snapshots: the one behind the
     * oldest of them, or the first one of all while there is one alone. Those that were found whole before are not read
     * again.
     */
    long firstNeeded() throws IOException {
        List<Long> sequences = sequences(storage);
        List<Long> whole = new ArrayList<>();
        for (long sequence : sequences) {
            if (verified.contains(sequence) || verifyOwn(sequence) != null) {
                whole.add(sequence);
            }
        }
        return sequences.isEmpty() ? Long.MAX_VALUE : whole.size() < 2 ? 0 : whole.getFirst() + 1;
    }

    private @Nullable Snapshot verifyOwn(long sequence) throws IOException {
        Snapshot snapshot = verify(storage, sequence);
        if (snapshot == null
                || !snapshot.journalId().equals(journalId)
                || sequence > journal.durableSequence().getAcquire()) {
            verified.remove(sequence);
            return null;
        }
        verified.add(sequence);
        return snapshot;
    }

    /** Returns the sequences of all snapshot files in a folder, oldest first. */
    public static List<Long> sequences(Storage storage) throws IOException {
        return storage.list().stream()
                .map(FileName::parseSnapshot)
                .filter(OptionalLong::isPresent)
                .map(OptionalLong::getAsLong)
                .sorted()
                .toList();
    }

    /** Reads a snapshot and checks all of it; returns null if it is not whole, or was removed meanwhile. */
    public static @Nullable Snapshot verify(Storage storage, long sequence) throws IOException {
        String name = FileName.snapshot(sequence);
        try (StorageFile file = storage.openForReading(name)) {
            ByteBuffer block = ByteBuffer.allocateDirect(SegmentHeader.BYTES);
            file.readFully(block, 0);
            block.flip();
            if (SegmentHeader.kind(block) != SegmentHeader.Kind.VALID) {
                return null;
            }
            SegmentHeader header = SegmentHeader.read(block);
            SegmentScan scan = new SegmentScan(file, header, new Window(WINDOW_BYTES));
            SegmentScan.Step step = scan.next();
            while (step == SegmentScan.Step.RECORD || step == SegmentScan.Step.MARK) {
                step = scan.next();
            }
            boolean whole = step == SegmentScan.Step.END && scan.closed() && scan.end() == file.size();
            return whole && header.number() == sequence
                    ? new Snapshot(storage, name, header, scan.nextSequence() - 1, file.size())
                    : null;
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    void requireDurable(long sequence) throws JournalException {
        long durable = journal.durableSequence().getAcquire();
        if (sequence > durable) {
            throw new JournalException("a snapshot of the state behind record " + sequence
                    + " cannot be kept while only those up to " + durable + " are durable; commit first");
        }
        journal.forceThrough(sequence);
    }

    /** Gives a snapshot that was written and forced its name, durably. */
    synchronized void publish(String unfinished, long sequence) throws IOException {
        requireOpen();
        storage.rename(unfinished, FileName.snapshot(sequence));
        // From now on it counts, and what it replaces may be removed.
        journal.failed().syncDirectory(storage);
        begun.remove(sequence);
    }

    /**
     * Removes what is left of a snapshot that was given up. Once the journal is closed, that is a matter of who opens
     * it next.
     */
    synchronized void giveUp(String unfinished, long sequence) throws IOException {
        begun.remove(sequence);
        if (!closed && storage.list().contains(unfinished)) {
            storage.delete(unfinished);
        }
    }

    /** Changes nothing in the folder any more: it may be the folder of another writer from now on. */
    synchronized void close() {
        closed = true;
    }

    private void requireOpen() throws JournalException {
        if (closed) {
            throw journal.isClosed();
        }
    }

    /**
     * Removes all files but the newest whole ones. As long as there are too few of these, all stay: a damaged one may
     * be mended. One ahead of the journal stays, too: opening puts such aside.
     */
    synchronized void removeOld() throws JournalException {
        if (closed) {
            return;
        }
        List<Snapshot> whole = valid();
        if (whole.size() < most) {
            return;
        }
        List<Long> keptSequences = whole.subList(whole.size() - most, whole.size()).stream()
                .map(Snapshot::sequence)
                .toList();
        long durable = journal.durableSequence().getAcquire();
        try {
            for (long sequence : sequences(storage)) {
                if (sequence <= durable && !keptSequences.contains(sequence)) {
                    verified.remove(sequence);
                    storage.delete(FileName.snapshot(sequence));
                }
            }
        } catch (IOException e) {
            throw new JournalException("cannot remove an old snapshot: " + JournalException.reason(e), e);
        }
    }
}
