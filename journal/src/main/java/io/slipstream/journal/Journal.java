package io.slipstream.journal;

import io.slipstream.core.ring.Frame;
import io.slipstream.core.ring.Sequence;
import io.slipstream.journal.recovery.Recovered;
import io.slipstream.journal.recovery.Recovery;
import io.slipstream.journal.segment.Batch;
import io.slipstream.journal.segment.Mark;
import io.slipstream.journal.segment.SegmentHeader;
import io.slipstream.journal.segment.SegmentName;
import io.slipstream.journal.segment.SegmentSupply;
import io.slipstream.journal.segment.SegmentWriter;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    private final Background background;
    private final SegmentSupply supply;
    private final Batch batch;
    private final Sequence durableSequence;
    private final Sequence writtenSequence;
    private final boolean sync;
    private volatile List<SegmentHeader> segments;
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
            return new Journal(storage, config, lock, new Recovery(storage, config).run());
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
        this.segments = recovered.segments();
        this.journalId = segments.isEmpty() ? UUID.randomUUID() : segments.getFirst().journalId();
        this.sync = config.durability() == Durability.SYNC;
        this.batch = new Batch(config.batchBytes());
        this.durableSequence = new Sequence(nextSequence - 1);
        this.writtenSequence = new Sequence(nextSequence - 1);
        this.forcedSequence = nextSequence - 1;
        this.background = new Background(config.prepareInBackground());
        this.supply = new SegmentSupply(storage, background, config.segmentBytes());
        try {
            if (recovered.spareNumber() > 0) {
                supply.adopt(recovered.spareNumber());
            }
            this.writer = begin(recovered);
            writer.write();
            writer.force();
        } catch (IOException | RuntimeException | Error e) {
            Closing.quietly(e, supply, background);
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
        return segments.getFirst().baseSequence();
    }

    /** Returns the most bytes that one call of {@link #append} takes. */
    public int maxAppendBytes() {
        return config.segmentBytes() - SegmentHeader.BYTES - JournalConfig.BLOCK_BYTES - Mark.BYTES;
    }

    /**
     * Accepts all the frames that lie side by side in {@code memory}, or none of them, and fills their checksums, epochs
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
        requireRecords(memory, offset, bytes);
        if (!writer.hasRoomFor(bytes + Mark.BYTES)) {
            supply.await(writer.header().number() + 1);
        }
        try {
            long end = offset + bytes;
            for (long at = offset; at < end; ) {
                int length = Frame.length(memory, at);
                add(memory, at, length);
                at += Frame.align(length);
            }
        } catch (IOException | RuntimeException | Error e) {
            throw poison(e);
        }
    }

    /**
     * Makes all that was accepted durable and moves the durable sequence. At {@link Durability#NONE} nothing is written:
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
     * Hands all that was accepted to the operating system, at any level; at {@link Durability#NONE} the owner calls this
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
        long limit = readableSequence();
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
        return new JournalReader(this, storage, fromSequence);
    }

    /** Returns what has poisoned the journal, or null; any thread may ask. */
    public @Nullable JournalFailedException failure() {
        return failure;
    }

    /**
     * Commits what was accepted, forces it, says in the journal that it was closed, and gives the folder free. A poisoned
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
        thrown = Closing.all(thrown, supply, background, writer, lock, storage);
        if (thrown != null) {
            throw thrown;
        }
    }

    /** Returns up to where readers may go: durable, and written to the file. */
    long readableSequence() {
        return Math.min(durableSequence.getAcquire(), writtenSequence.getAcquire());
    }

    /** Returns the headers of the segments, oldest first. */
    List<SegmentHeader> segments() {
        return segments;
    }

    private SegmentWriter begin(Recovered recovered) throws IOException {
        SegmentHeader last = recovered.lastSegment();
        if (last != null && SegmentWriter.canResume(last, recovered.end())) {
            SegmentWriter resumed = SegmentWriter.resume(storage.open(SegmentName.of(last.number())), last, batch, sync,
                    recovered.end());
            resumed.addMark(Mark.OPENED, epoch, nextSequence, forcedSequence, config.clock().millis());
            return resumed;
        }
        SegmentHeader header = last == null
                ? header(1, 0, 0)
                : header(last.number() + 1, recovered.end(), recovered.lastChecksum());
        supply.await(header.number());
        return begin(header, Mark.OPENED);
    }

    private SegmentWriter begin(SegmentHeader header, byte flags) throws IOException {
        SegmentWriter begun = SegmentWriter.begin(supply.take(), header, batch, sync);
        begun.addMark(flags, epoch, nextSequence, forcedSequence, config.clock().millis());
        bytesSinceMark = 0;
        segments = append(segments, header);
        return begun;
    }

    private SegmentHeader header(long number, long predecessorEnd, int predecessorChecksum) {
        return new SegmentHeader(journalId, number, config.segmentBytes(), epoch, nextSequence, forcedSequence,
                config.clock().millis(), predecessorEnd, predecessorChecksum);
    }

    private void add(MemorySegment memory, long offset, int length) throws IOException {
        int bytes = Frame.align(length);
        boolean markDue = writer.isEmpty()
                && (markedForced != forcedSequence || bytesSinceMark >= MARK_INTERVAL_BYTES);
        if (!writer.hasRoomFor(bytes + (markDue ? Mark.BYTES : 0))) {
            roll();
        } else if (markDue) {
            markedForced = forcedSequence;
            bytesSinceMark = 0;
            writer.addMark((byte) 0, epoch, nextSequence, markedForced, config.clock().millis());
        }
        writer.add(memory, offset, length, epoch, nextSequence);
        nextSequence++;
        bytesSinceMark += bytes;
    }

    /** Goes on in the next segment. */
    private void roll() throws IOException {
        long end = writer.end();
        int checksum = batch.lastChecksum();
        long last = nextSequence - 1;
        SegmentWriter full = writer;
        write(sync);
        writer = begin(header(full.header().number() + 1, end, checksum), (byte) 0);
        supply.request(writer.header().number() + 1);
        if (sync) {
            full.close();
        } else {
            background.execute(() -> forceAndClose(full, last));
        }
    }

    private void forceAndClose(SegmentWriter full, long lastSequence) {
        try {
            full.force();
            full.close();
            if (failure == null) {
                forcedSequence = lastSequence;
            }
        } catch (IOException | RuntimeException e) {
            poison(e);
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
        writer.addMark(Mark.CLOSED, epoch, nextSequence, forcedSequence, config.clock().millis());
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

    private void requireRecords(MemorySegment memory, long offset, int bytes) {
        if (bytes <= 0 || bytes > maxAppendBytes()) {
            throw new IllegalArgumentException(
                    "an append has from 1 to " + maxAppendBytes() + " bytes, not " + bytes);
        }
        long end = offset + bytes;
        for (long at = offset; at < end; ) {
            int length = Frame.length(memory, at);
            if (length < Record.HEADER_BYTES || length > end - at || Frame.align(length) > end - at) {
                throw new IllegalArgumentException("a frame at offset " + at + " with " + (end - at)
                        + " bytes to the end cannot have the length " + length);
            }
            if (Record.type(memory, at) < 0) {
                throw new IllegalArgumentException("the record at offset " + at + " has type " + Record.type(memory, at)
                        + "; negative types are the journal's own");
            }
            at += Frame.align(length);
        }
    }

    private static List<SegmentHeader> append(List<SegmentHeader> headers, SegmentHeader header) {
        List<SegmentHeader> longer = new ArrayList<>(headers);
        longer.add(header);
        return List.copyOf(longer);
    }
}
