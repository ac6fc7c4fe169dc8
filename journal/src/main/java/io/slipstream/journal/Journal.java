package io.slipstream.journal;

import io.slipstream.core.ring.Frame;
import io.slipstream.core.ring.Sequence;
import io.slipstream.journal.recovery.Recovered;
import io.slipstream.journal.recovery.Recovery;
import io.slipstream.journal.segment.Batch;
import io.slipstream.journal.segment.Mark;
import io.slipstream.journal.segment.SegmentHeader;
import io.slipstream.journal.segment.SegmentIndex;
import io.slipstream.journal.segment.SegmentName;
import io.slipstream.journal.segment.SegmentSupply;
import io.slipstream.journal.segment.SegmentWriter;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

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
public final class Journal implements AutoCloseable {
    private static final int MARK_INTERVAL_BYTES = 64 << 10;

    private final Storage storage;
    private final JournalConfig config;
    private final AutoCloseable lock;
    private final RecoveryReport report;
    private final int epoch;
    private final UUID journalId;
    private final Catalog catalog;
    private final Background background;
    private final Background preparation;
    private final SegmentSupply supply;
    private final Batch batch;
    private final Sequence durableSequence;
    private final Sequence writtenSequence;
    private final boolean sync;
    private final boolean wholeBlocks;
    private final long maxAgeMillis;
    private final Snapshots snapshots;
    private final Tailers tailers;
    private volatile long forcedSequence;
    private volatile @Nullable JournalFailedException failure;
    private SegmentWriter writer;
    private long nextSequence;
    private long markedForced;
    private long bytesSinceMark;
    private boolean closed;

    /**
     * Opens the journal in {@code folder}, which is created if it is not there, and recovers it.
     *
     * @throws JournalLockedException  if it is open elsewhere
     * @throws JournalCorruptException if what was durable is damaged; nothing was changed
     * @throws JournalVersionException if a newer version has written it
     * @throws JournalException        if the folder cannot be used, for the reason that the message gives
     */
    public static Journal open(Path folder, JournalConfig config) throws JournalException {
        return open(FileStorage.open(folder), config);
    }

    /** Opens the journal in {@code storage}; see {@link #open(Path, JournalConfig)}. The storage is closed with it. */
    public static Journal open(Storage storage, JournalConfig config) throws JournalException {
        AutoCloseable lock = null;
        try {
            lock = storage.lock();
            return new Journal(storage, config, lock, new Recovery(storage, config, config.policy()).run());
        } catch (JournalException e) {
            Closing.quietly(e, lock, storage);
            throw e;
        } catch (IOException e) {
            Closing.quietly(e, lock, storage);
            throw new JournalException("cannot open the journal in " + storage.description() + ": " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            Closing.quietly(e, lock, storage);
            throw e;
        }
    }

    private Journal(Storage storage, JournalConfig config, AutoCloseable lock, Recovered recovered) throws IOException {
        this.storage = storage;
        this.config = config;
        this.lock = lock;
        this.report = recovered.report();
        this.epoch = recovered.epoch();
        this.nextSequence = recovered.nextSequence();
        this.catalog = new Catalog(storage, recovered.segments());
        this.journalId = catalog.segments().isEmpty() ? UUID.randomUUID() : catalog.oldest().journalId();
        this.sync = config.durability() == Durability.SYNC;
        this.wholeBlocks = sync || config.writeMode() == WriteMode.DSYNC || config.writeMode() == WriteMode.DIRECT;
        this.maxAgeMillis = config.maxSegmentAge() == null ? Long.MAX_VALUE : config.maxSegmentAge().toMillis();
        this.snapshots = new Snapshots(storage, journalId, this);
        this.tailers = new Tailers(this, storage, sync);
        this.batch = new Batch(config.batchBytes());
        this.durableSequence = new Sequence(nextSequence - 1);
        this.writtenSequence = new Sequence(nextSequence - 1);
        this.forcedSequence = nextSequence - 1;
        this.background = new Background(config.prepareInBackground(), "journal-force");
        this.preparation = new Background(config.prepareInBackground(), "journal-prepare");
        this.supply = new SegmentSupply(storage, preparation, config);
        try {
            if (recovered.spareNumber() > 0) {
                supply.adopt(recovered.spareNumber());
            }
            this.writer = begin(recovered);
            writer.write();
            writer.force();
        } catch (IOException | RuntimeException | Error e) {
            Closing.quietly(e, supply, preparation, background);
            throw e;
        }
        supply.request(writer.header().number() + 1);
    }

    /** Returns what opening has found. */
    public RecoveryReport recovery() {
        return report;
    }

    /** Returns the sequence that the next record will have; for the owner. */
    public long nextSequence() {
        return nextSequence;
    }

    /**
     * Returns the sequence of the last durable record, 0 if there is none. It moves with each commit and never passes a
     * record that could still be lost in a failure that the level covers.
     */
    public Sequence durableSequence() {
        return durableSequence;
    }

    /** Returns the sequence of the oldest record that is there, or that will be the first one. */
    public long firstSequence() {
        return catalog.oldest().baseSequence();
    }

    /** Returns the most bytes that one call of {@link #append} takes. */
    public int maxAppendBytes() {
        return config.segmentBytes() - SegmentHeader.BYTES - JournalConfig.BLOCK_BYTES - Mark.BYTES;
    }

    /**
     * Accepts all the frames that lie side by side in {@code memory}, or none of them, and fills their checksums,
     * epochs
     * and sequences in, also in {@code memory}.
     *
     * @param memory of the caller, who may use it again when this returns
     * @param offset of the first frame
     * @param bytes  of all frames, each with its padding up to a multiple of {@link Frame#ALIGNMENT}
     * @throws IllegalArgumentException if there are no whole frames, or one is no record, or they are too many bytes
     * @throws JournalFullException     if there is no room on the device; nothing was accepted
     * @throws JournalFailedException   if the journal is poisoned
     */
    public void append(MemorySegment memory, long offset, int bytes) throws JournalException {
        requireUsable();
        if (bytes > maxAppendBytes()) {
            throw new IllegalArgumentException("an append has at most " + maxAppendBytes() + " bytes, not " + bytes);
        }
        Frames.requireRecords(memory, offset, bytes);
        boolean old = isOld(writer.header());
        if (old || !writer.hasRoomFor(bytes + Mark.BYTES)) {
            supply.await(writer.header().number() + 1);
        }
        try {
            if (old) {
                roll();
            }
            if (writer.takesAtOnce(bytes + Mark.BYTES)) {
                add(memory, offset, bytes);
            } else {
                addOneByOne(memory, offset, bytes);
            }
        } catch (IOException | RuntimeException | Error e) {
            throw poison(e);
        }
    }

    /**
     * Makes all that was accepted durable and moves the durable sequence. At {@link Durability#NONE} nothing is
     * written:
     * the records count as they are.
     *
     * @throws JournalFailedException if writing or forcing has failed, now or before
     */
    public void commit() throws JournalException {
        requireUsable();
        if (config.durability() != Durability.NONE) {
            write(sync);
        }
        durableSequence.setRelease(nextSequence - 1);
    }

    /**
     * Hands all that was accepted to the operating system, at any level; at {@link Durability#NONE} the owner calls
     * this
     * when it is idle.
     *
     * @throws JournalFailedException if writing has failed, now or before
     */
    public void flush() throws JournalException {
        requireUsable();
        write(false);
    }

    /**
     * Reads all durable records from {@code fromSequence} on, in order; any thread may.
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
     * not
     * more than 64 KiB, or one batch if that is more, before the first of them.
     */
    public long sequenceAt(Instant time) throws JournalException {
        return catalog.sequenceAt(time.toEpochMilli());
    }

    /**
     * Opens the tailer with this name, which begins with the oldest record if it was never there before.
     *
     * @param name of lower-case letters, digits and dashes, at most 64
     * @throws JournalException      if its position cannot be read or written
     * @throws IllegalStateException if it is open
     */
    public Tailer tailer(String name) throws JournalException {
        return tailers.open(name);
    }

    /** Forgets the tailer with this name, so that the journal need not keep records for it any more. */
    public void removeTailer(String name) throws JournalException {
        tailers.remove(name);
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
     * @return the sequence of the oldest record that is left
     * @throws JournalFailedException if the device has failed, now or before
     */
    public long trim(long beforeSequence) throws JournalException {
        requireUsable();
        try {
            long bound = Math.min(Retention.bound(storage, snapshots, beforeSequence), forcedSequence + 1);
            for (SegmentHeader oldest = catalog.removeBefore(bound); oldest != null; oldest = catalog.removeBefore(bound)) {
                Retention.remove(storage, supply, oldest);
            }
        } catch (IOException e) {
            // The names of the files are no longer known for sure; what is removed next could leave a gap.
            throw poison(e);
        }
        return firstSequence();
    }

    /** Returns what has poisoned the journal, or null; any thread may ask. */
    public @Nullable JournalFailedException failure() {
        return failure;
    }

    /**
     * Commits what was accepted, forces it, says in the journal that it was closed, and gives the folder free. A
     * poisoned
     * journal is closed without writing. Closing again does nothing.
     */
    @Override
    public void close() throws JournalException {
        if (closed) {
            return;
        }
        closed = true;
        JournalException thrown = null;
        try {
            if (failure == null) {
                finish();
            }
        } catch (JournalException e) {
            thrown = e;
        } catch (IOException | RuntimeException | Error e) {
            thrown = poison(e);
        }
        thrown = Closing.all(thrown, supply, preparation, background, writer, lock, storage);
        if (thrown != null) {
            throw thrown;
        }
    }

    /** Returns up to where readers may go. */
    long readableSequence(ReadLimit readLimit) {
        long written = writtenSequence.getAcquire();
        return readLimit == ReadLimit.WRITTEN ? written : Math.min(durableSequence.getAcquire(), written);
    }

    /**
     * Forces all records up to {@code sequence} from another thread than the owner's, so that what is kept beside the
     * journal is never ahead of it.
     */
    void forceThrough(long sequence) throws JournalException {
        if (sequence > writtenSequence.getAcquire()) {
            throw new JournalException("record " + sequence + " is not written yet; flush first");
        }
        if (sequence <= forcedSequence) {
            return;
        }
        long first = catalog.holding(forcedSequence + 1).number();
        long last = catalog.holding(sequence).number();
        try {
            for (long number = first; number <= last; number++) {
                try (StorageFile file = storage.open(SegmentName.of(number))) {
                    file.force();
                }
            }
        } catch (IOException e) {
            throw poison(e);
        }
    }

    /** Returns whether nothing is being prepared, forced or indexed in the background. */
    boolean isBackgroundIdle() {
        return background.isIdle() && preparation.isIdle();
    }

    Catalog catalog() {
        return catalog;
    }

    int epoch() {
        return epoch;
    }

    long timeMillis() {
        return config.clock().millis();
    }

    private SegmentWriter begin(Recovered recovered) throws IOException {
        SegmentHeader last = recovered.lastSegment();
        if (last != null && SegmentWriter.canResume(last, recovered.end())) {
            StorageFile file = storage.open(SegmentName.of(last.number()), config.writeMode());
            SegmentWriter resumed = SegmentWriter.resume(file, last, batch, wholeBlocks, config.writeMode(), recovered.end());
            addMark(resumed, Mark.OPENED);
            return resumed;
        }
        SegmentHeader header = last == null
                ? header(1, 0, 0)
                : header(last.number() + 1, recovered.end(), recovered.lastChecksum());
        supply.await(header.number());
        return begin(header, Mark.OPENED);
    }

    private boolean isOld(SegmentHeader header) {
        return maxAgeMillis != Long.MAX_VALUE && nextSequence > header.baseSequence()
                && config.clock().millis() - header.timeMillis() >= maxAgeMillis;
    }

    private SegmentWriter begin(SegmentHeader header, byte flags) throws IOException {
        SegmentWriter begun = SegmentWriter.begin(supply.take(), header, batch, wholeBlocks, config.writeMode());
        catalog.add(header);
        addMark(begun, flags);
        return begun;
    }

    private SegmentHeader header(long number, long predecessorEnd, int predecessorChecksum) {
        return new SegmentHeader(journalId, number, config.segmentBytes(), epoch, nextSequence, forcedSequence,
                config.clock().millis(), predecessorEnd, predecessorChecksum);
    }

    private void addOneByOne(MemorySegment memory, long offset, int bytes) throws IOException {
        long end = offset + bytes;
        for (long at = offset; at < end; ) {
            int frame = Frame.align(Frame.length(memory, at));
            add(memory, at, frame);
            at += frame;
        }
    }

    private void add(MemorySegment memory, long offset, int bytes) throws IOException {
        boolean markDue = writer.isEmpty()
                && (markedForced != forcedSequence || bytesSinceMark >= MARK_INTERVAL_BYTES);
        if (!writer.hasRoomFor(bytes + (markDue ? Mark.BYTES : 0))) {
            roll();
        } else if (markDue) {
            addMark(writer, (byte) 0);
        }
        nextSequence = writer.add(memory, offset, bytes, epoch, nextSequence);
        bytesSinceMark += bytes;
    }

    private void addMark(SegmentWriter target, byte flags) throws IOException {
        long timeMillis = config.clock().millis();
        markedForced = forcedSequence;
        bytesSinceMark = 0;
        target.addMark(flags, epoch, nextSequence, markedForced, timeMillis);
        catalog.liveIndex().add(target.end() - Mark.BYTES, nextSequence, epoch, timeMillis);
    }

    /** Goes on in the next segment. */
    private void roll() throws IOException {
        long end = writer.end();
        int checksum = writer.lastChecksum();
        long last = nextSequence - 1;
        SegmentWriter full = writer;
        SegmentIndex fullIndex = catalog.liveIndex();
        write(sync);
        writer = begin(header(full.header().number() + 1, end, checksum), (byte) 0);
        supply.request(writer.header().number() + 1);
        background.execute(() -> seal(full, fullIndex, last));
    }

    private void seal(SegmentWriter full, SegmentIndex fullIndex, long lastSequence) {
        try {
            full.forceAndClose();
            if (failure == null && !sync) {
                forcedSequence = lastSequence;
            }
        } catch (IOException | RuntimeException e) {
            poison(e);
            return;
        }
        try {
            fullIndex.save(storage, full.header());
        } catch (IOException e) {
            // The segment is read from its beginning instead; a device that fails shows in what matters soon enough.
        }
    }

    private void write(boolean force) throws JournalException {
        try {
            if (!writer.isEmpty()) {
                writer.write();
            }
            if (force && writer.isUnforced()) {
                writer.force();
                forcedSequence = nextSequence - 1;
            }
        } catch (IOException | RuntimeException | Error e) {
            throw poison(e);
        }
        writtenSequence.setRelease(nextSequence - 1);
    }

    private void finish() throws IOException {
        write(false);
        supply.close();
        background.close();
        JournalFailedException failed = failure;
        if (failed != null) {
            throw failed;
        }
        writer.force();
        forcedSequence = nextSequence - 1;
        durableSequence.setRelease(nextSequence - 1);
        addMark(writer, Mark.CLOSED);
        writer.write();
        writer.force();
    }

    private JournalFailedException poison(Throwable cause) {
        if (cause instanceof JournalFailedException known) {
            return known;
        }
        JournalFailedException poisoned = new JournalFailedException("the journal in " + storage.description()
                + " has failed and accepts nothing any more: " + cause.getMessage()
                + ". Records up to " + durableSequence.getAcquire()
                + " are durable. Look at the device, then open the journal again", cause);
        failure = poisoned;
        return poisoned;
    }

    private void requireUsable() throws JournalException {
        JournalFailedException failed = failure;
        if (failed != null) {
            throw new JournalFailedException(String.valueOf(failed.getMessage()), failed);
        }
        if (closed) {
            throw new JournalException("the journal in " + storage.description() + " is closed");
        }
    }
}
