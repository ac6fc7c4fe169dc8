package io.slipstream.service.snapshot;

import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.Skips;
import io.slipstream.journal.Snapshot;
import io.slipstream.journal.SnapshotReader;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.record.RecordHandler;
import io.slipstream.service.logic.Logic;
import io.slipstream.service.machine.Prefetching;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Brings a new logic to where a journal is: the newest snapshot that is whole, and the log behind it. */
public final class Recovery {
    /** So few that progress is heard of within seconds, also if each command takes tens of milliseconds. */
    private static final int BATCH = 64;

    private final Journal journal;
    private final Skips skips;
    private final Progress progress;
    private long snapshotSequence;

    /** Creates a recovery from {@code journal} that says how far it is. */
    public Recovery(Journal journal, Progress progress) {
        this.journal = journal;
        this.skips = journal.skips();
        this.progress = progress;
    }

    /**
     * Loads the newest snapshot and applies the records behind it.
     *
     * @param logic      of an empty log
     * @param upTo       sequence of the last record to apply
     * @return how many records were applied
     * @throws IOException if the log does not begin where a snapshot ends, or cannot be read
     */
    public long recover(Logic logic, long upTo) throws IOException {
        loadNewest(logic, upTo);
        return goOn(logic, upTo);
    }

    /**
     * Applies the records behind those that a logic has applied already, from its own memory or a snapshot.
     *
     * @param upTo sequence of the last record to apply
     * @return how many records were applied
     * @throws IOException if the log does not go on there, or cannot be read
     */
    public long goOn(Logic logic, long upTo) throws IOException {
        return replay(logic, logic.lastSequence() + 1, upTo, (memory, offset, _) -> enter(logic, memory, offset));
    }

    /** Returns the sequence of the snapshot that was loaded; 0 if there was none. */
    public long snapshotSequence() {
        return snapshotSequence;
    }

    /** Loads the newest snapshot that is not of an entry behind {@code upTo}, if there is one. */
    public void loadNewest(Logic logic, long upTo) throws IOException {
        Optional<Snapshot> newest = journal.snapshots().newest();
        long whole = newest.map(Snapshot::sequence).orElse(-1L);
        for (long sequence : journal.snapshots().sequences()) {
            if (sequence > whole && sequence <= upTo) {
                progress.onSnapshotPassedOver(sequence, journal.description());
            }
        }
        if (newest.isPresent() && newest.get().sequence() <= upTo) {
            load(newest.get(), logic);
        }
    }

    /**
     * Loads what the replay of all that is left of the log begins with: nothing, or the oldest snapshot if the log was
     * trimmed.
     */
    public void loadOldest(Logic logic) throws IOException {
        long needed = journal.firstSequence() - 1;
        if (needed > 0) {
            for (Snapshot snapshot : journal.snapshots().valid()) {
                if (snapshot.sequence() >= needed) {
                    load(snapshot, logic);
                    return;
                }
            }
        }
    }

    /**
     * Loads a snapshot into the logic of an empty log.
     *
     * @throws io.slipstream.service.logic.DivergedException if that leads to another state than was saved
     */
    public void load(Snapshot snapshot, Logic logic) throws IOException {
        progress.onSnapshotLoad(snapshot.sequence(), snapshot.bytes());
        try (SnapshotReader reader = snapshot.reader()) {
            load(logic, reader, snapshot.sequence(), snapshot.bytes(), progress);
        }
        logic.requireLoadedAsSaved();
        snapshotSequence = snapshot.sequence();
    }

    /**
     * Loads a snapshot into the logic of an empty log.
     *
     * @param mostBytes how many bytes of state there can be at most
     */
    static void load(Logic logic, SnapshotReader reader, long sequence, long mostBytes, Progress progress)
            throws IOException {
        ChunkedInput input = new ChunkedInput(new Records(reader, mostBytes, progress), mostBytes);
        logic.load(input);
        input.finish();
        if (logic.lastSequence() != sequence) {
            throw new IOException("the snapshot of entry " + sequence + " says of itself that it is of entry "
                    + logic.lastSequence());
        }
    }

    /** Applies the record whose header is at {@code offset}, or passes over it if it is marked as one to be skipped. */
    public void enter(Logic logic, MemorySegment memory, long offset) {
        long sequence = JournalRecord.sequence(memory, offset);
        if (skips.contains(sequence)) {
            progress.onSkip(sequence, logic.skip(memory, offset));
        } else {
            logic.apply(memory, offset);
        }
    }

    /**
     * Hands the records from {@code from} to {@code upTo} to {@code each}, after {@code logic} was
     * told which come.
     *
     * @return how many there were
     * @throws IOException if the log does not begin there, or cannot be read
     */
    public long replay(Logic logic, long from, long upTo, RecordHandler each) throws IOException {
        if (journal.firstSequence() > from) {
            throw new IOException("the log begins with entry " + journal.firstSequence() + ", and "
                    + (from == 1
                            ? "there is no snapshot of what was before"
                            : "the newest snapshot that is whole ends with entry " + (from - 1))
                    + "; put the segments before back, or a snapshot from a copy");
        }
        try (JournalReader reader = journal.reader(from)) {
            long next = from;
            long told = from;
            RecordHandler expect = logic::expect;
            if (next <= upTo) {
                progress.onReplay(0, upTo - from + 1);
            }
            while (next <= upTo) {
                int most = (int) Math.min(BATCH, upTo - next + 1);
                if (logic.looksAhead()) {
                    int shown = reader.peek(expect, Math.min(most, Prefetching.MOST));
                    logic.prefetch();
                    // The first record of a run proves it, and the others can be shown then.
                    most = Math.max(1, shown);
                }
                if (reader.poll(each, most) == 0) {
                    throw new IOException("the log ends before entry " + next + ", although " + upTo + " was durable");
                }
                next = reader.nextSequence();
                if (next - told >= BATCH || next > upTo) {
                    told = next;
                    progress.onReplay(next - from, upTo - from + 1);
                }
            }
            return next - from;
        }
    }

    /** Hears how far a recovery is; for the thread that recovers. */
    public interface Progress {
        /** For whom it does not matter. */
        Progress NONE = new Progress() {};

        /** A snapshot of so many bytes is about to be loaded. */
        default void onSnapshotLoad(long sequence, long bytes) {}

        /** So many bytes of a snapshot that has at most so many were read. */
        default void onLoad(long done, long most) {}

        /**
         * A snapshot is not loaded, and an older one or all of the log is in its place: its file is damaged, or belongs
         * to another log.
         */
        default void onSnapshotPassedOver(long sequence) {}

        /** The same with the folder of the log. */
        default void onSnapshotPassedOver(long sequence, String folder) {
            onSnapshotPassedOver(sequence);
        }

        /**
         * A record is passed over, as it is marked.
         *
         * @param timers that were due with it, did not fire, and are set no more
         */
        default void onSkip(long sequence, int timers) {}

        /** So many records of so many were applied. */
        default void onReplay(long done, long all) {}
    }

    private static final class Records implements ChunkedInput.Source {
        private final SnapshotReader reader;
        private final long mostBytes;
        private final Progress progress;
        private long readBytes;

        Records(SnapshotReader reader, long mostBytes, Progress progress) {
            this.reader = reader;
            this.mostBytes = mostBytes;
            this.progress = progress;
        }

        @Override
        public boolean next() throws IOException {
            progress.onLoad(readBytes, mostBytes);
            boolean isThere = reader.next();
            readBytes += isThere ? reader.length() - JournalRecord.HEADER_BYTES : 0;
            return isThere;
        }

        @Override
        public MemorySegment memory() {
            return reader.memory();
        }

        @Override
        public long offset() {
            return reader.offset();
        }

        @Override
        public int length() {
            return reader.length();
        }
    }
}
