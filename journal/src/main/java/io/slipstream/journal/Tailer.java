package io.slipstream.journal;

import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.record.RecordHandler;
import java.io.IOException;

/**
 * A reader with a name, whose position outlives the process: it continues from its last commit. For one thread.
 *
 * <p>The journal keeps all records that a tailer has not yet passed. A record is handed out again after a crash if it
 * was handled but not committed.
 */
public final class Tailer implements AutoCloseable {
    private final String name;
    private final JournalReader reader;
    private final PositionFile position;
    private final boolean force;
    private final Poison failure;
    private final Runnable onClose;
    private long committed;
    private boolean closed;

    Tailer(String name, JournalReader reader, PositionFile position, boolean force, Poison failure, Runnable onClose) {
        this.name = name;
        this.reader = reader;
        this.position = position;
        this.force = force;
        this.failure = failure;
        this.committed = position.sequence();
        this.onClose = onClose;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the sequence of the last record that was committed; 0 for none. */
    public long committedSequence() {
        return committed;
    }

    /**
     * Hands out the next durable records; see {@link JournalReader#poll}. A record whose handler has thrown is not
     * among those that {@link #commit} remembers.
     */
    public int poll(RecordHandler handler, int maxRecords) throws JournalException {
        return reader.poll(handler, maxRecords);
    }

    /**
     * Goes on behind {@code sequence} without reading the records up to it, for whoever knows them from elsewhere; they
     * count as handed out. Does nothing if it is there already.
     *
     * @throws IllegalArgumentException if {@code sequence} is not durable yet
     */
    public void pass(long sequence) throws JournalException {
        reader.pass(sequence);
    }

    /**
     * Remembers all that was handed out as handled, as durably as the journal's level says.
     *
     * @throws JournalFailedException if forcing has failed, which poisons the journal, or the journal is poisoned
     * @throws JournalException       if writing has failed: the position is where it was, and may be committed again
     */
    public void commit() throws JournalException {
        failure.requireNone();
        long handled = reader.nextSequence() - 1;
        if (handled == committed) {
            return;
        }
        try {
            position.move(handled, force);
        } catch (IOException e) {
            throw new JournalException(
                    "cannot keep the position of the tailer " + name + ": " + JournalException.reason(e), e);
        }
        if (force) {
            force();
        }
        committed = handled;
    }

    private void force() throws JournalFailedException {
        try {
            position.force();
        } catch (IOException e) {
            // A second force would prove nothing, and records are trimmed by this position.
            throw failure.poison(e);
        }
    }

    /** Closes the tailer without committing; its position stays. Closing again does nothing. */
    @Override
    public void close() throws JournalException {
        if (closed) {
            return;
        }
        closed = true;
        JournalException thrown = Closing.all(null, reader, position);
        onClose.run();
        if (thrown != null) {
            throw thrown;
        }
    }
}
