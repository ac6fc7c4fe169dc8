package io.slipstream.journal;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.recovery.Aside;
import io.slipstream.journal.recovery.Recovered;
import io.slipstream.journal.segment.Batch;
import io.slipstream.journal.segment.SegmentIndex;
import io.slipstream.journal.segment.SegmentSupply;
import io.slipstream.journal.segment.SegmentWriter;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The growing end of a journal: gives records their sequences, sets marks between them, and goes from one segment to
 * the next. For the owner, but for what says otherwise.
 *
 * <pre>
 *   frames --> batch --> segment being written        next segment (prepared in the background)
 *                              | when it is full
 *                              +--> forced and indexed in the background
 * </pre>
 */
final class Appender implements AutoCloseable {
    private static final int MARK_INTERVAL_BYTES = 64 << 10;

    /** For so long a clock is behind before it is believed: longer than one that is wrong at a start stays wrong. */
    private static final long BELIEVED_MILLIS = Duration.ofDays(1).toMillis();

    private final Storage storage;
    private final JournalConfig config;
    private final Catalog catalog;
    private final UUID journalId;
    private final int epoch;
    private final Poison failure;
    private final boolean sync;
    private final boolean writesAreForced;
    private final boolean wholeBlocks;
    private final long maxAgeMillis;
    private final Background background;
    private final Background preparation;
    private final SegmentSupply supply;
    private final Batch batch;
    private final long recoveredEnd;
    private final int recoveredChecksum;
    private final Sequence writtenSequence;
    private volatile long forcedSequence;
    private final Sequence writtenBytes = new Sequence(0);
    private long writtenBefore;
    private SegmentWriter writer;
    private long nextSequence;
    private long markedForced;
    private long bytesSinceMark;
    private long proofOffset;
    private boolean isBegunHere;
    private boolean awaitsRoom;
    private @Nullable Aside tornTail;
    private volatile long timeMillis;
    private long clockMillis;
    private long begunMillis;
    private long behindMillis = Long.MAX_VALUE;

    /** Goes on where recovery has come to, in a new epoch. */
    Appender(
            Storage storage, JournalConfig config, Catalog catalog, UUID journalId, Recovered recovered, Poison failure)
            throws IOException {
        this.storage = storage;
        this.config = config;
        this.catalog = catalog;
        this.journalId = journalId;
        this.epoch = recovered.epoch();
        this.failure = failure;
        this.sync = config.durability() == Durability.SYNC;
        this.writesAreForced = config.writeMode() == WriteMode.DSYNC || config.writeMode() == WriteMode.DIRECT;
        this.wholeBlocks = sync || writesAreForced;
        this.maxAgeMillis = millis(config.maxSegmentAge());
        this.nextSequence = recovered.nextSequence();
        this.timeMillis = recovered.timeMillis();
        this.clockMillis = Math.max(0, recovered.timeMillis());
        this.writtenSequence = new Sequence(nextSequence - 1);
        this.forcedSequence = nextSequence - 1;
        this.batch = new Batch(config.batchBytes());
        this.recoveredEnd = recovered.end();
        this.recoveredChecksum = recovered.lastChecksum();
        this.tornTail = recovered.tornTail();
        this.background = new Background(storage, config.prepareInBackground(), "journal-force");
        this.preparation = new Background(storage, config.prepareInBackground(), "journal-prepare");
        this.supply =
                new SegmentSupply(storage, preparation, preparation::help, config, this::writtenBytes, failure::poison);
        SegmentWriter begun = null;
        try {
            for (int i = 0; i < recovered.spares(); i++) {
                supply.adopt(recovered.nextNumber() + i);
            }
            begun = begin(recovered);
            begun.write();
            begun.force();
        } catch (IOException | RuntimeException | Error e) {
            Closing.quietly(e, begun, supply, preparation, background);
            throw e;
        }
        this.writer = begun;
        supply.request(writer.header().number() + 1);
    }

    long nextSequence() {
        return nextSequence;
    }

    int epoch() {
        return epoch;
    }

    /** Returns the latest time that records have; any thread. */
    long timeMillis() {
        return timeMillis;
    }

    /** Returns the sequence of the last record that the operating system has; any thread. */
    long writtenSequence() {
        return writtenSequence.getAcquire();
    }

    /** Returns the sequence of the last record that was forced for certain; any thread. */
    long forcedSequence() {
        return forcedSequence;
    }

    /** Returns how many bytes were written since it was opened, with what fills up blocks; any thread. */
    long writtenBytes() {
        return writtenBytes.getAcquire();
    }

    /** Returns where in the last segment that comes which is written next. */
    long writtenInLast() {
        return writer.written();
    }

    /** Returns where files of segments that nobody needs any more are taken. */
    SegmentSupply supply() {
        return supply;
    }

    /** Returns whether nothing is being prepared, forced or indexed in the background. */
    boolean isBackgroundIdle() {
        return background.isIdle() && preparation.isIdle();
    }

    /**
     * Makes sure that a further segment is there if {@code bytes} more bytes, or age, ask for one; nothing is accepted
     * yet.
     *
     * @return whether the segment that is being written is to be left: it is old, or of an earlier epoch
     * @throws JournalFullException if it cannot be prepared, most often because there is no room for it
     * @throws IOException          if a force has failed
     */
    boolean makeRoom(int bytes) throws IOException {
        cutTornTail();
        boolean leaves = awaitsRoom || isOld();
        if (leaves || !writer.hasRoomFor(bytes + Mark.BYTES)) {
            supply.await(writer.header().number() + 1);
        }
        return leaves;
    }

    private void cutTornTail() throws IOException {
        Aside tail = tornTail;
        if (tail != null) {
            storage.requireLock();
            tail.keep();
            tail.wipe();
            tornTail = null;
        }
    }

    /** Adds frames that lie side by side, all of which there is room for. */
    void append(MemorySegment memory, long offset, int bytes) throws IOException {
        if (writer.takesAtOnce(bytes + Mark.BYTES)) {
            add(memory, offset, bytes);
        } else {
            addOneByOne(memory, offset, bytes);
        }
    }

    /** Goes on in the next segment. */
    void roll() throws IOException {
        storage.requireLock();
        boolean opens = awaitsRoom;
        long end = opens ? recoveredEnd : writer.end();
        int checksum = opens ? recoveredChecksum : writer.lastChecksum();
        long last = nextSequence - 1;
        SegmentWriter full = writer;
        SegmentIndex fullIndex = catalog.liveIndex();
        write(sync);
        writtenBefore += full.written();
        endIndex(full, fullIndex);
        writer = begin(header(full.header().number() + 1, end, checksum), opens ? Mark.OPENED : 0);
        if (opens) {
            writer.write();
            writer.force();
            awaitsRoom = false;
        }
        supply.request(writer.header().number() + 1);
        try {
            background.execute(() -> seal(full, fullIndex, last));
        } catch (RuntimeException | Error e) {
            Closing.quietly(e, full);
            throw e;
        }
    }

    /** Hands all that was added to the operating system, and forces it if it is told to. */
    void write(boolean force) throws IOException {
        if (!writer.isEmpty()) {
            writer.write();
            writtenBytes.setRelease(writtenBefore + writer.written());
        }
        if ((force || writesAreForced) && writer.isUnforced()) {
            writer.force();
            forcedSequence = nextSequence - 1;
        }
        writtenSequence.setRelease(nextSequence - 1);
    }

    /** Ends what goes on in the background, and forces all. */
    void finish() throws IOException {
        write(false);
        supply.close();
        background.close();
        failure.requireNone();
        if (!background.isIdle()) {
            throw new IllegalStateException("a full segment was not forced");
        }
        writer.force();
        forcedSequence = nextSequence - 1;
    }

    /** Says in the journal that it was closed, unless nothing was written since it was opened. */
    void markClosed() throws IOException {
        if (awaitsRoom) {
            return;
        }
        addMark(writer, Mark.CLOSED);
        writer.write();
        writer.force();
    }

    /** Forces the segments that hold records up to {@code sequence}, which were written; any thread. */
    void forceThrough(long sequence) throws IOException {
        if (sequence <= forcedSequence) {
            return;
        }
        long first = catalog.holding(forcedSequence + 1).number();
        long last = catalog.holding(sequence).number();
        for (long number = first; number <= last; number++) {
            try (StorageFile file = storage.open(FileName.of(number))) {
                file.force();
            } catch (NoSuchFileException e) {
                // It was forced and trimmed meanwhile: only what was forced is trimmed.
            }
        }
    }

    /** Makes durable where the segment begins, so that it can be the first one after a crash; for the owner. */
    void forceBeginning(SegmentHeader header) throws IOException {
        if (header.baseSequence() <= forcedSequence) {
            return;
        }
        if (header.number() == writer.header().number()) {
            if (!writer.isEmpty()) {
                writer.write();
            }
            writer.force();
        } else {
            try (StorageFile file = storage.open(FileName.of(header.number()))) {
                file.force();
            }
        }
    }

    @Override
    public void close() throws JournalException {
        JournalException thrown = Closing.all(null, supply, preparation, background, writer);
        if (thrown != null) {
            throw thrown;
        }
    }

    private SegmentWriter begin(Recovered recovered) throws IOException {
        SegmentHeader last = recovered.lastSegment();
        if (last != null && recovered.tornTail() != null) {
            return awaitRoom(last);
        }
        // What is written by larger blocks would end, for its readers, where one of the smaller blocks is blank.
        if (last != null
                && last.blockBytes() >= config.blockBytes()
                && SegmentWriter.canResume(last, recovered.end())) {
            StorageFile file = storage.open(FileName.of(last.number()), config.writeMode());
            SegmentWriter resumed =
                    SegmentWriter.resume(file, last, batch, wholeBlocks, config.writeMode(), recovered.end());
            begunMillis = Math.min(last.timeMillis(), readClock());
            writtenBefore = -resumed.written();
            addMark(resumed, Mark.OPENED);
            return resumed;
        }
        SegmentHeader header =
                last == null ? header(1, 0, 0) : header(last.number() + 1, recovered.end(), recovered.lastChecksum());
        try {
            supply.await(header.number());
        } catch (JournalFullException e) {
            if (last == null) {
                throw e;
            }
            return awaitRoom(last);
        }
        return begin(header, Mark.OPENED);
    }

    /**
     * Leaves the last segment as it is, so that the journal can be read and trimmed; the epoch begins with the first
     * append that there is room for.
     */
    private SegmentWriter awaitRoom(SegmentHeader last) throws IOException {
        awaitsRoom = true;
        begunMillis = clockMillis;
        StorageFile file = storage.open(FileName.of(last.number()), config.writeMode());
        SegmentWriter resumed = SegmentWriter.resume(file, last, batch, wholeBlocks, config.writeMode(), recoveredEnd);
        writtenBefore = -resumed.written();
        return resumed;
    }

    private SegmentWriter begin(SegmentHeader header, byte flags) throws IOException {
        isBegunHere = true;
        begunMillis = clockMillis;
        proofOffset = -1;
        SegmentWriter begun =
                SegmentWriter.begin(supply.take(header.number()), header, batch, wholeBlocks, config.writeMode());
        catalog.add(header);
        addMark(begun, flags);
        return begun;
    }

    private SegmentHeader header(long number, long predecessorEnd, int predecessorChecksum) {
        return new SegmentHeader(
                journalId,
                number,
                config.segmentBytes(),
                epoch,
                nextSequence,
                forcedSequence,
                now(),
                predecessorEnd,
                predecessorChecksum,
                config.blockBytes());
    }

    /**
     * Returns whether the segment that is being written has its age. That is counted by the clock itself, which may
     * have been set back: then it counts from there, while the times of records stand still.
     */
    private boolean isOld() {
        if (maxAgeMillis == Long.MAX_VALUE || nextSequence == writer.header().baseSequence()) {
            return false;
        }
        long clock = readClock();
        begunMillis = Math.min(begunMillis, clock);
        return clock - begunMillis >= maxAgeMillis;
    }

    /**
     * Returns the time; records are looked up by it, so it stands still while the clock goes back. But a clock that has
     * been behind for {@link #BELIEVED_MILLIS} by its own count is right, and was wrong before.
     */
    private long now() {
        long now = readClock();
        if (now >= timeMillis) {
            behindMillis = Long.MAX_VALUE;
        } else {
            behindMillis = Math.min(behindMillis, now);
            if (now - behindMillis < BELIEVED_MILLIS) {
                return timeMillis;
            }
            behindMillis = Long.MAX_VALUE;
        }
        timeMillis = now;
        return now;
    }

    /** Reads the clock. Records can be written without one, so one that throws stands still. */
    private long readClock() {
        try {
            clockMillis = config.clock().millis();
        } catch (RuntimeException e) {
            // It keeps the time that it had.
        }
        return clockMillis;
    }

    private static long millis(@Nullable Duration age) {
        return age == null || age.compareTo(Duration.ofMillis(Long.MAX_VALUE)) > 0 ? Long.MAX_VALUE : age.toMillis();
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
        boolean markDue = writer.isEmpty() && (markedForced != forcedSequence || bytesSinceMark >= MARK_INTERVAL_BYTES);
        if (!writer.hasRoomFor(bytes + (markDue ? Mark.BYTES : 0))) {
            roll();
        } else if (markDue) {
            addMark(writer, (byte) 0);
        }
        nextSequence = writer.add(memory, offset, bytes, epoch, nextSequence);
        bytesSinceMark += bytes;
    }

    private void addMark(SegmentWriter target, byte flags) throws IOException {
        long now = now();
        markedForced = forcedSequence;
        bytesSinceMark = 0;
        target.addMark(flags, epoch, nextSequence, markedForced, now);
        long offset = target.end() - Mark.BYTES;
        if (markedForced == nextSequence - 1) {
            proofOffset = offset;
        }
        SegmentIndex index = catalog.liveIndex();
        boolean resumes = (flags & Mark.OPENED) != 0;
        if (resumes || index.isDue(offset)) {
            index.add(
                    offset,
                    nextSequence,
                    epoch,
                    now,
                    resumes || index.size() == 0 ? SegmentIndex.UNKNOWN : target.takeRunChecksum(offset));
        }
    }

    /**
     * Gives the index of a full segment what a walk through it would come to, so that it need not be walked through
     * again.
     */
    private void endIndex(SegmentWriter full, SegmentIndex index) {
        if (isBegunHere) {
            index.end(
                    new SegmentIndex.End(
                            full.end(),
                            full.written(),
                            nextSequence,
                            markedForced,
                            proofOffset,
                            epoch,
                            full.lastChecksum()),
                    full.takeRunChecksum(full.written()));
        }
    }

    private void seal(SegmentWriter full, SegmentIndex fullIndex, long lastSequence) {
        try {
            full.forceAndClose();
            if (failure.cause() == null && !sync && !writesAreForced) {
                forcedSequence = lastSequence;
            }
        } catch (IOException | RuntimeException | Error e) {
            failure.poison(e);
            Closing.quietly(e, full);
            return;
        }
        if (fullIndex.size() == 0) {
            return;
        }
        try {
            fullIndex.save(storage, full.header());
        } catch (IOException e) {
            // The segment is read from its beginning instead; a device that fails shows in what matters soon enough.
        }
    }
}
