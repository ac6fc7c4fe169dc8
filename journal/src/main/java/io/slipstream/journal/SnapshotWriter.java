package io.slipstream.journal;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.segment.Batch;
import io.slipstream.journal.segment.SegmentWriter;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Writes a snapshot as a series of records of its own; it exists once {@link #commit} returns. For one thread. */
public final class SnapshotWriter implements AutoCloseable {
    private static final int BATCH_BYTES = 1 << 18;

    private final Snapshots snapshots;
    private final Storage storage;
    private final long sequence;
    private final SegmentHeader header;
    private final String name;
    private final int epoch;
    private final long timeMillis;
    private final SegmentWriter writer;
    private long records;
    private boolean ended;
    private boolean done;
    private @Nullable JournalException failure;

    SnapshotWriter(Snapshots snapshots, Storage storage, SegmentHeader header) throws IOException {
        this.snapshots = snapshots;
        this.storage = storage;
        this.sequence = header.number();
        this.name = FileName.snapshot(sequence);
        this.header = header;
        this.epoch = header.epoch();
        this.timeMillis = header.timeMillis();
        StorageFile file = storage.createAnew(unfinished());
        try {
            this.writer = SegmentWriter.begin(file, header, new Batch(BATCH_BYTES), false, WriteMode.BUFFERED);
        } catch (IOException | RuntimeException | Error e) {
            Closing.quietly(e, file);
            throw e;
        }
    }

    /**
     * Adds all the frames that lie side by side in {@code memory}, and fills their checksums and sequences in. Their
     * sequences count from 1 within the snapshot.
     *
     * @param bytes of all frames, each with its padding up to a multiple of {@link Frame#ALIGNMENT}; a frame that is
     *              larger than 256 KiB takes as much memory as it has bytes, for as long as the snapshot is written
     * @throws IllegalArgumentException if there are no whole frames, or one is no record
     * @throws JournalException         if writing has failed; the snapshot is given up
     */
    public void append(MemorySegment memory, long offset, int bytes) throws JournalException {
        Frames.requireRecords(memory, offset, bytes);
        requireUsable();
        if (ended) {
            throw new JournalException("the snapshot " + name + " was ended, and takes no more records");
        }
        try {
            long end = offset + bytes;
            for (long at = offset; at < end; ) {
                int frame = Frame.align(Frame.length(memory, at));
                writer.add(memory, at, frame, epoch, records + 1);
                records++;
                at += frame;
            }
        } catch (IOException | RuntimeException | Error e) {
            throw giveUp(e);
        }
    }

    /**
     * Forces what was written so far to the device, so that {@link #commit} need not force all of it at once, for which
     * whoever else uses the device would have to wait. Nothing is committed by that.
     *
     * @throws JournalException if that fails; the snapshot is given up
     */
    public void force() throws JournalException {
        requireUsable();
        try {
            writer.force();
        } catch (IOException | RuntimeException | Error e) {
            throw giveUp(e);
        }
    }

    /**
     * Ends the snapshot, which takes no more records, and reads those that it has: a look at it before it is committed.
     *
     * @throws JournalException if writing or reading has failed; the snapshot is given up
     */
    public SnapshotReader reader() throws JournalException {
        requireUsable();
        try {
            end();
            return new SnapshotReader(storage, unfinished(), header);
        } catch (IOException | RuntimeException | Error e) {
            throw giveUp(e);
        }
    }

    private void end() throws IOException {
        if (!ended) {
            writer.addMark(Mark.CLOSED, epoch, records + 1, records, timeMillis);
            writer.write();
            ended = true;
        }
    }

    /**
     * Makes the records up to its sequence durable at any level, so that it is never ahead of the journal, then the
     * snapshot. Then it removes all but this one and the one before, once there are two whole ones.
     *
     * @throws JournalException if the records up to its sequence are not durable yet, and then it can be committed
     *                          later; or writing has failed, now or before, and then the snapshot is given up, and
     *                          those before are untouched; or an older one cannot be removed, and then this one is
     *                          there nevertheless
     * @throws JournalFailedException if its name cannot be made durable; that poisons the journal
     */
    public void commit() throws JournalException {
        requireUsable();
        snapshots.requireDurable(sequence);
        try {
            end();
            writer.force();
            writer.close();
            snapshots.publish(unfinished(), sequence);
        } catch (JournalFailedException e) {
            failure = e;
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            throw giveUp(e);
        }
        done = true;
        snapshots.removeOld();
    }

    /** Gives the snapshot up, if it was not committed. */
    @Override
    public void close() throws JournalException {
        if (!done) {
            done = true;
            try {
                try {
                    writer.close();
                } finally {
                    snapshots.giveUp(unfinished(), sequence);
                }
            } catch (IOException e) {
                throw cannotWrite(e);
            }
        }
    }

    private String unfinished() {
        return name + FileName.UNFINISHED;
    }

    /** What was not written must not be missing in a snapshot that looks whole, so there will be none. */
    private JournalException giveUp(Throwable cause) {
        JournalException thrown = cannotWrite(cause);
        failure = thrown;
        return thrown;
    }

    private JournalException cannotWrite(Throwable cause) {
        return new JournalException(
                "cannot write the snapshot " + name + " in " + storage.description() + ": "
                        + JournalException.reason(cause),
                cause);
    }

    private void requireUsable() throws JournalException {
        if (failure != null) {
            throw new JournalException(failure.getMessage() + "; it was given up", failure);
        }
        if (done) {
            throw new JournalException("the snapshot " + name + " was committed or closed");
        }
    }
}
