package io.slipstream.journal;

import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.record.RecordHandler;
import io.slipstream.journal.segment.SegmentIndex;
import io.slipstream.journal.segment.SegmentScan;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a journal from some sequence on and follows it as it grows, up to its {@link ReadLimit}. For one thread.
 *
 * <p>The records that it hands out are views of its own memory: no copy, no allocation. Every checksum is verified.
 */
public final class JournalReader implements AutoCloseable {
    private static final int WINDOW_BYTES = 1 << 20;

    private final Journal journal;
    private final Storage storage;
    private final Window window;
    private final ReadLimit readLimit;
    private long nextSequence;
    private @Nullable StorageFile file;
    private @Nullable SegmentScan scan;
    private @Nullable SegmentHeader segment;
    private boolean closed;

    JournalReader(Journal journal, Storage storage, long fromSequence, ReadLimit readLimit) throws JournalException {
        this.journal = journal;
        this.window = new Window(journal.windowBytes());
        this.storage = storage;
        this.readLimit = readLimit;
        this.nextSequence = fromSequence;
        if (fromSequence < journal.firstSequence()) {
            throw new JournalException("record " + fromSequence + " is no longer in the journal in "
                    + storage.description() + "; the oldest one is " + journal.firstSequence());
        }
    }

    /** Returns the sequence of the record that comes next. */
    public long nextSequence() {
        return nextSequence;
    }

    /**
     * Hands out at most {@code maxRecords} of the records that come next. What the handler throws ends the call; its
     * record was not handled, and comes again with the next call. A handler may close the reader, and gets no further
     * record then.
     *
     * @return how many; 0 if there is none yet
     * @throws JournalCorruptException if a record is damaged
     * @throws IllegalStateException   if the reader is closed
     */
    public int poll(RecordHandler handler, int maxRecords) throws JournalException {
        requireOpen();
        long limit = journal.readableSequence(readLimit);
        int count = 0;
        try {
            while (count < maxRecords && nextSequence <= limit && !closed) {
                SegmentScan current = scan == null ? seek() : scan;
                if (current.nextSequence() == nextSequence) {
                    count += takeProven(current, handler, maxRecords - count, limit);
                    if (count == maxRecords || nextSequence > limit || closed) {
                        break;
                    }
                }
                if (take(current)) {
                    if (current.nextSequence() != nextSequence + 1) {
                        throw new IllegalStateException(
                                "record " + (current.nextSequence() - 1) + " where " + nextSequence + " is due");
                    }
                    handler.onRecord(current.memory(), current.memoryOffset(), current.length());
                    nextSequence++;
                    count++;
                }
            }
        } catch (RuntimeException | Error e) {
            // The record whose handler has thrown is looked up anew.
            Closing.quietly(e, this::release);
            throw e;
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            // The owner may have trimmed the segment that was looked up a moment ago.
            throw nextSequence < journal.firstSequence()
                    ? trimmed()
                    : new JournalException(
                            "cannot read the journal in " + storage.description() + ": " + JournalException.reason(e),
                            e);
        }
        return count;
    }

    /**
     * Shows at most {@code maxRecords} of the records that come next to the handler, and only those that lie in memory
     * and are known to be whole; {@link #poll} hands them out afterwards. So what they need can be asked for in time.
     *
     * @return how many; 0 does not say that there are none
     * @throws IllegalStateException if the reader is closed
     */
    public int peek(RecordHandler handler, int maxRecords) {
        requireOpen();
        SegmentScan current = scan;
        return current == null || current.nextSequence() != nextSequence
                ? 0
                : current.peek(handler, maxRecords, journal.readableSequence(readLimit));
    }

    /** Goes on behind {@code sequence} without reading what is before. */
    void pass(long sequence) throws JournalException {
        if (sequence > journal.readableSequence(readLimit)) {
            throw new IllegalArgumentException("record " + sequence + " is not durable yet; the last one that is: "
                    + journal.readableSequence(readLimit));
        }
        if (sequence >= nextSequence) {
            release();
            nextSequence = sequence + 1;
        }
    }

    @Override
    public void close() throws JournalException {
        closed = true;
        release();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the reader is closed");
        }
    }

    /** Closes the segment that is being read; the record that is due is looked up anew. */
    private void release() throws JournalException {
        StorageFile open = file;
        SegmentScan current = scan;
        file = null;
        scan = null;
        if (current != null) {
            current.stop();
        }
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                throw new JournalException("cannot close " + open.name() + ": " + JournalException.reason(e), e);
            }
        }
    }

    /** Hands out records that need no look at their checksums; one whose handler throws is not passed. */
    private int takeProven(SegmentScan current, RecordHandler handler, int most, long limit) {
        try {
            int taken = current.records(handler, most, limit);
            nextSequence = current.nextSequence();
            return taken;
        } catch (RuntimeException | Error e) {
            nextSequence = current.nextSequence() - 1;
            throw e;
        }
    }

    /** Takes a step; returns whether it has led to the record that is due. */
    private boolean take(SegmentScan current) throws IOException {
        SegmentScan.Step step = current.next();
        if (step == SegmentScan.Step.RECORD) {
            return current.nextSequence() > nextSequence;
        }
        return step != SegmentScan.Step.MARK && lookAgain(current);
    }

    /** Takes the step once more: what was read ahead may be older than what is durable by now. */
    private boolean lookAgain(SegmentScan current) throws IOException {
        current.refresh();
        return switch (current.next()) {
            case RECORD -> current.nextSequence() > nextSequence;
            case MARK -> false;
            case END -> {
                goOn(current);
                yield false;
            }
            case DAMAGE -> {
                if (!isRetired()) {
                    throw corrupt(current.offset(), current.damage());
                }
                release();
                yield false;
            }
        };
    }

    /**
     * Returns whether all of the segment was read, and it was then trimmed: its file may be another segment by now, and
     * the record that is due is in the next one.
     */
    private boolean isRetired() {
        long first = journal.firstSequence();
        return segment != null && segment.baseSequence() < first && first <= nextSequence;
    }

    private void goOn(SegmentScan current) throws IOException {
        SegmentHeader next = segment == null ? null : journal.catalog().following(segment.number());
        if (next == null || next.baseSequence() != current.nextSequence()) {
            if (isRetired()) {
                release();
                return;
            }
            throw corrupt(current.end(), "an end, although record " + current.nextSequence() + " was durable");
        }
        open(next, journal.catalog().index(next));
    }

    private SegmentScan seek() throws IOException {
        SegmentHeader header = journal.catalog().holding(nextSequence);
        if (header.baseSequence() > nextSequence) {
            throw trimmed();
        }
        SegmentIndex marks = journal.catalog().index(header);
        SegmentIndex.Entry entry = marks == null ? null : marks.floorOfSequence(nextSequence);
        SegmentScan begun = open(header, marks);
        if (entry != null) {
            begun.skipTo(entry.offset(), entry.sequence(), entry.epoch());
        }
        return begun;
    }

    private SegmentScan open(SegmentHeader header, @Nullable SegmentIndex index) throws IOException {
        release();
        StorageFile opened = storage.openForReading(FileName.of(header.number()));
        file = opened;
        segment = header;
        SegmentScan begun = new SegmentScan(opened, header, window);
        if (index != null) {
            begun.trust(index);
        }
        scan = begun;
        return begun;
    }

    /** Says what is wrong: damage, or that the reader was too slow and the segment under it was trimmed. */
    private JournalException corrupt(long offset, String found) {
        if (nextSequence < journal.firstSequence()) {
            return trimmed();
        }
        String name = file == null ? "" : file.name();
        return new JournalCorruptException(
                name,
                offset,
                name + " in " + storage.description()
                        + " is damaged at offset "
                        + offset + ", where record " + nextSequence + " should be: " + found
                        + ". Stop here, and look at it with `slipstream journal verify`");
    }

    private JournalException trimmed() {
        return new JournalException("record " + nextSequence + " was trimmed before it was read; the oldest one is "
                + journal.firstSequence());
    }
}
