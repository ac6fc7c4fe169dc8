package io.slipstream.journal;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.journal.errors.JournalLockedException;
import io.slipstream.journal.errors.JournalVersionException;
import io.slipstream.journal.record.RecordHandler;
import io.slipstream.journal.recovery.Recovered;
import io.slipstream.journal.recovery.Recovery;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An append-only log of records in a folder of its own.
 *
 * <p>One thread owns the journal: it appends, commits and closes. Any thread may read {@link #durableSequence} and read
 * records. {@link #append} accepts frames, {@link #commit} makes all that was accepted as durable as the
 * {@link Durability} level says, with one write and, at SYNC, one force for all of it. So the owner takes whatever has
 * arrived, appends it, commits, and never waits for more.
 *
 * <p>If a write or a force fails, the journal is poisoned: every further call of append and commit throws
 * {@link JournalFailedException}, and the durable sequence stays where it was.
 */
public final class Journal implements AutoCloseable, CommitLog {
    private static final int WINDOW_BYTES = 1 << 20;
    private static final Instant EARLIEST = Instant.ofEpochMilli(Long.MIN_VALUE);
    private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);

    private final Storage storage;
    private final JournalConfig config;
    private final AutoCloseable lock;
    private final UUID journalId;
    private final RecoveryReport report;
    private final Catalog catalog;
    private final Sequence durableSequence;
    private final Watermark durableWatermark;
    private final Poison failure;
    private final LockWatch lockWatch;
    private final Appender appender;
    private final Snapshots snapshots;
    private final Skips skips;
    private final Tailers tailers;
    private final Trim trim;
    private boolean closed;

    /**
     * Opens the journal in {@code folder}, which is created if it is not there, and recovers it.
     *
     * <p>Where a device is full, a journal that is there can be opened, read and trimmed. Each append throws
     * {@link JournalFullException} until there is room for a segment, as there is when a trim has removed one.
     *
     * @throws JournalLockedException  if it is open elsewhere
     * @throws JournalCorruptException if what was durable is damaged; nothing was changed
     * @throws JournalVersionException if a newer version has written it
     * @throws JournalFullException    if there is no room to begin
     * @throws JournalException        if the folder cannot be used, for the reason that the message gives
     */
    public static Journal open(Path folder, JournalConfig config) throws JournalException {
        return open(FileStorage.open(folder), config);
    }

    /** Opens the journal in {@code storage}; see {@link #open(Path, JournalConfig)}. The storage is closed with it. */
    public static Journal open(Storage storage, JournalConfig config) throws JournalException {
        return open(storage, config, UUID.randomUUID());
    }

    /** Opens the journal, or begins one with the id {@code newId}. */
    static Journal open(Storage storage, JournalConfig config, UUID newId) throws JournalException {
        AutoCloseable lock = null;
        try {
            lock = storage.lock();
            return new Journal(storage, config, lock, new Recovery(storage, config, config.policy()).run(), newId);
        } catch (JournalException e) {
            Closing.quietly(e, lock, storage);
            throw e;
        } catch (IOException e) {
            Closing.quietly(e, lock, storage);
            throw new JournalException(
                    "cannot open the journal in " + storage.description() + ": " + JournalException.reason(e), e);
        } catch (RuntimeException | Error e) {
            Closing.quietly(e, lock, storage);
            throw e;
        }
    }

    private Journal(Storage storage, JournalConfig config, AutoCloseable lock, Recovered recovered, UUID newId)
            throws IOException {
        this.storage = storage;
        this.config = config;
        this.lock = lock;
        this.report = RecoveryReport.of(recovered);
        this.catalog = new Catalog(storage, recovered.segments(), recovered.index());
        UUID journalId = catalog.segments().isEmpty() ? newId : catalog.oldest().journalId();
        this.skips = Skips.load(storage, journalId);
        this.durableSequence = new Sequence(recovered.nextSequence() - 1);
        this.durableWatermark = new Watermark(durableSequence);
        this.failure = new Poison(storage.description(), durableSequence);
        this.lockWatch = new LockWatch(storage, failure);
        this.snapshots = new Snapshots(storage, journalId, this);
        this.journalId = journalId;
        this.tailers = new Tailers(this, storage, journalId, config.durability() == Durability.SYNC);
        this.appender = new Appender(storage, config, catalog, journalId, recovered, failure);
        this.trim = new Trim(storage, journalId, catalog, appender, skips, failure);
        try {
            Retention.reserve(storage, journalId, failure, catalog.oldest().baseSequence() - 1);
            Retention.reserveEnd(storage, journalId, failure);
        } catch (IOException | RuntimeException | Error e) {
            Closing.quietly(e, appender);
            throw e;
        }
    }

    /** Returns the id of the journal, which all of its files bear; any thread may ask. */
    public UUID id() {
        return journalId;
    }

    /** Returns what opening has found. */
    public RecoveryReport recovery() {
        return report;
    }

    /** Returns the sequence that the next record will have; for the owner. */
    public long nextSequence() {
        return appender.nextSequence();
    }

    /**
     * Returns the sequence of the last durable record, 0 if there is none. It moves with each commit and never passes a
     * record that could still be lost in a failure that the level covers.
     */
    public Watermark durableSequence() {
        return durableWatermark;
    }

    /**
     * Returns the sequence of the last record that the operating system has, 0 if there is none. At
     * {@link Durability#NONE} it may be less than {@link #durableSequence}, at the other levels it may be more. Any
     * thread may ask.
     */
    public long writtenSequence() {
        return appender.writtenSequence();
    }

    /** Returns the sequence of the oldest record that is there, or that will be the first one. */
    public long firstSequence() {
        return catalog.oldest().baseSequence();
    }

    /**
     * Returns how many bytes were written since the journal was opened: records, marks, and what fills up the blocks of
     * each commit. Any thread may ask.
     */
    public long writtenBytes() {
        return appender.writtenBytes();
    }

    /**
     * Returns how many bytes of the segments the records from {@code sequence} on take, with marks and what fills up
     * blocks; up to 64 KiB more, since that is how finely the indexes know it. A full segment without an index counts
     * whole. For the owner; reads the indexes of those segments.
     */
    public long bytesFrom(long sequence) {
        return catalog.bytesFrom(sequence, appender.writtenInLast());
    }

    /** Returns the most bytes that one call of {@link #append} takes. */
    public int maxAppendBytes() {
        return config.maxAppendBytes();
    }

    /**
     * Accepts all the frames that lie side by side in {@code memory}, or none of them, and fills their checksums,
     * epochs and sequences in, also in {@code memory}.
     *
     * @param memory of the caller, who may use it again when this returns
     * @param offset of the first frame
     * @param bytes  of all frames, each with its padding up to a multiple of {@link Frame#ALIGNMENT}
     * @throws IllegalArgumentException if there are no whole frames, or one is no record, or they are too many bytes
     * @throws JournalFullException     if no further segment can be prepared, most often because the device is full;
     *                                  nothing was accepted
     * @throws JournalFailedException   if the journal is poisoned
     */
    @Override
    public void append(MemorySegment memory, long offset, int bytes) throws JournalException {
        requireUsable();
        if (bytes > maxAppendBytes()) {
            throw new IllegalArgumentException("an append has at most " + maxAppendBytes() + " bytes, not " + bytes);
        }
        Frames.requireRecords(memory, offset, bytes);
        try {
            if (appender.makeRoom(bytes)) {
                appender.roll();
            }
            appender.append(memory, offset, bytes);
        } catch (JournalFullException e) {
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            throw failure.poison(e);
        }
    }

    /**
     * Tries whether {@link #append} would find room for so many bytes, as after a {@link JournalFullException}. It
     * prepares a further segment if they need one; nothing is accepted.
     *
     * @throws IllegalArgumentException if no append has so many bytes
     * @throws JournalFailedException   if the journal is poisoned
     */
    public boolean hasRoomFor(int bytes) throws JournalException {
        requireUsable();
        if (bytes < 0 || bytes > maxAppendBytes()) {
            throw new IllegalArgumentException("an append has from 0 to " + maxAppendBytes() + " bytes, not " + bytes);
        }
        try {
            appender.makeRoom(bytes);
            return true;
        } catch (JournalFullException e) {
            return false;
        } catch (IOException | RuntimeException | Error e) {
            throw failure.poison(e);
        }
    }

    /**
     * Makes all that was accepted durable and moves the durable sequence. At {@link Durability#NONE} nothing is
     * written: the records count as durable in memory, and cannot be read before they are written.
     *
     * @throws JournalFailedException if writing or forcing has failed, now or before
     */
    @Override
    public void commit() throws JournalException {
        requireUsable();
        if (config.durability() != Durability.NONE) {
            write(config.durability() == Durability.SYNC);
        }
        durableSequence.setRelease(appender.nextSequence() - 1);
    }

    /**
     * Hands all that was accepted to the operating system, at any level; at {@link Durability#NONE} the owner calls
     * this when it is idle.
     *
     * @throws JournalFailedException if writing has failed, now or before
     */
    public void flush() throws JournalException {
        requireUsable();
        write(false);
        lockWatch.look();
    }

    /**
     * Reads all durable records from {@code fromSequence} on, in order; any thread may. At {@link Durability#NONE} it
     * reads as far as they were written, which {@link #flush}, a full batch and closing do, and the commit does not.
     *
     * @return how many there were
     * @throws JournalException        if {@code fromSequence} is older than {@link #firstSequence}
     * @throws JournalCorruptException if a record is damaged
     */
    public long read(long fromSequence, RecordHandler handler) throws JournalException {
        long limit = readableSequence(ReadLimit.DURABLE);
        long count = 0;
        try (JournalReader reader = reader(fromSequence)) {
            while (reader.nextSequence() <= limit) {
                int polled = reader.poll(handler, (int) Math.min(Integer.MAX_VALUE, limit + 1 - reader.nextSequence()));
                if (polled == 0) {
                    break;
                }
                count += polled;
            }
        }
        return count;
    }

    /**
     * Returns a reader that begins at {@code fromSequence} and follows the durable sequence; for one thread, any one.
     * It can still read what is there when the journal was closed, and is closed by itself.
     *
     * @throws JournalException if {@code fromSequence} is older than {@link #firstSequence}
     */
    public JournalReader reader(long fromSequence) throws JournalException {
        return reader(fromSequence, ReadLimit.DURABLE);
    }

    /**
     * Returns a reader that begins at {@code fromSequence} and goes as far as {@code readLimit}; for one thread, any
     * one.
     *
     * @throws JournalException if {@code fromSequence} is older than {@link #firstSequence}
     */
    public JournalReader reader(long fromSequence, ReadLimit readLimit) throws JournalException {
        return new JournalReader(this, storage, fromSequence, readLimit);
    }

    /**
     * Returns the sequence of a record from which on all are found that were appended at {@code time} or later. It is
     * not more than 128 KiB of records and one batch (at {@link Durability#NONE}, what lies between two flushes) before
     * the first of them; but it may be the first record of the segment if that has no index, or none yet for what was
     * in it when the journal was opened.
     *
     * <p>Records that are appended while the clock is behind what it has shown before, see {@link #aheadOfClock}, have
     * that time, so they are found from farther before. Once the clock has been behind for a day, as it counts itself,
     * it is believed: what was appended earlier counts as older than what comes then, whatever time it had.
     */
    public long sequenceAt(Instant time) throws JournalException {
        return catalog.sequenceAt(
                time.isAfter(LATEST) ? Long.MAX_VALUE : time.isBefore(EARLIEST) ? Long.MIN_VALUE : time.toEpochMilli());
    }

    /** Returns where it is: its folder. Any thread may ask. */
    public String description() {
        return storage.description();
    }

    /**
     * Returns how far the time that the next record gets is ahead of the clock: more than zero after a clock that was
     * ahead has been put right. Until it has caught up, and for a day at most, {@link #sequenceAt} does not tell the
     * records of that time apart, and whoever removes records by their age keeps them longer. Any thread may ask.
     */
    public Duration aheadOfClock() {
        return Duration.ofMillis(Math.max(0, appender.timeMillis() - timeMillis()));
    }

    /**
     * Opens the tailer with this name, which begins with the oldest record if it was never there before. Its owner
     * closes it before the journal: a position that is kept afterwards may come in the way of whoever opens the journal
     * next.
     *
     * @param name of lower-case letters, digits and dashes, at most 64
     * @throws JournalException      if its position cannot be read or written, or the journal is closed
     * @throws IllegalStateException if it is open
     */
    public Tailer tailer(String name) throws JournalException {
        return tailers.open(name);
    }

    /**
     * Forgets the tailer with this name, if there is one, so that the journal need not keep records for it any more.
     *
     * @throws JournalException      if its position cannot be removed, or the journal is closed
     * @throws IllegalStateException if it is open
     */
    public void removeTailer(String name) throws JournalException {
        tailers.remove(name);
    }

    /** Returns the records that replay is to pass over; any thread may ask. */
    public Skips skips() {
        return skips;
    }

    /** Returns the snapshots of this journal; any thread may use them. */
    public Snapshots snapshots() {
        return snapshots;
    }

    /**
     * Removes the segments that hold nothing but records before {@code beforeSequence}, for the owner. Kept is whatever
     * the older one of the two snapshots that are kept, or a named tailer, still needs, and whatever was not forced
     * yet. While there is one snapshot alone, everything is kept.
     *
     * <p>Each snapshot is read and checked once: when it was committed, or by the first call after opening.
     *
     * @return the sequence of the oldest record that is left
     * @throws JournalException       if a snapshot or a position cannot be read, or what is trimmed not be noted:
     *                                nothing was removed; or if the system denies to remove a segment, for a missing
     *                                permission or too many open files: a later call goes on from there
     * @throws JournalFailedException if the device has failed, now or before
     */
    public long trim(long beforeSequence) throws JournalException {
        requireUsable();
        // A tailer that is only being registered must not find gone what it begins with.
        synchronized (tailers) {
            trim.before(Math.min(
                    Retention.bound(storage, journalId, snapshots, failure, beforeSequence),
                    appender.forcedSequence() + 1));
        }
        return firstSequence();
    }

    /** Returns what has poisoned the journal, or null; any thread may ask. */
    public @Nullable JournalFailedException failure() {
        return failure.cause();
    }

    /**
     * Commits what was accepted, forces it, records in the journal that it was closed, and beside it which record was
     * the last one, so that opening refuses a journal that has lost its end since; and releases the folder. A poisoned
     * journal is closed without writing. Closing again does nothing.
     */
    @Override
    public void close() throws JournalException {
        if (closed) {
            return;
        }
        closed = true;
        tailers.close();
        snapshots.close();
        JournalException thrown = null;
        try {
            if (failure.cause() == null) {
                finish();
            }
        } catch (JournalException e) {
            thrown = e;
        } catch (IOException | RuntimeException | Error e) {
            thrown = failure.poison(e);
        }
        thrown = Closing.all(thrown, appender, lock, storage);
        if (thrown != null) {
            throw thrown;
        }
    }

    /** Returns up to where readers may go: they read files, so no further than what is written. */
    long readableSequence(ReadLimit readLimit) {
        long written = appender.writtenSequence();
        return readLimit == ReadLimit.WRITTEN ? written : Math.min(durableSequence.getAcquire(), written);
    }

    /**
     * Forces all records up to {@code sequence} from another thread than the owner's, so that what is kept beside the
     * journal is never ahead of it.
     */
    void forceThrough(long sequence) throws JournalException {
        // What follows a force that has failed proves nothing, also if that was one in the background.
        failure.requireNone();
        if (sequence > appender.writtenSequence()) {
            throw new JournalException("record " + sequence + " is not written yet; flush first");
        }
        try {
            appender.forceThrough(sequence);
        } catch (IOException e) {
            throw failure.poison(e);
        }
        failure.requireNone();
    }

    /** Returns whether nothing is being prepared, forced or indexed in the background. */
    boolean isBackgroundIdle() {
        return appender.isBackgroundIdle();
    }

    /** Returns how many bytes a reader has in memory: no more than a segment has. */
    int windowBytes() {
        return Math.min(WINDOW_BYTES, config.segmentBytes());
    }

    Catalog catalog() {
        return catalog;
    }

    /** Returns whether and why the journal has failed. */
    Poison failed() {
        return failure;
    }

    int epoch() {
        return appender.epoch();
    }

    long timeMillis() {
        try {
            return config.clock().millis();
        } catch (RuntimeException e) {
            // As for records, a clock that throws stands still.
            return Math.max(0, appender.timeMillis());
        }
    }

    private void write(boolean force) throws JournalException {
        try {
            appender.write(force);
        } catch (IOException | RuntimeException | Error e) {
            throw failure.poison(e);
        }
    }

    private void finish() throws IOException {
        storage.requireLock();
        appender.finish();
        durableSequence.setRelease(appender.nextSequence() - 1);
        appender.markClosed();
        Retention.noteEnd(storage, journalId, appender.nextSequence() - 1);
    }

    private void requireUsable() throws JournalException {
        failure.requireNone();
        if (closed) {
            throw isClosed();
        }
    }

    /** Returns what to throw at whoever comes too late. */
    JournalException isClosed() {
        return new JournalException("the journal in " + storage.description() + " is closed");
    }
}
