package io.slipstream.journal;

import io.slipstream.journal.segment.TailerPosition;

import java.io.IOException;

/**
 * A reader with a name, whose position outlives the process: it goes on where it has last committed. For one thread.
 *
 * <p>The journal keeps all records that a tailer has not yet passed. A record is handed out again after a crash if it
 * was handled but not committed.
 */
public final class Tailer implements AutoCloseable {
    private final String name;
    private final JournalReader reader;
    private final TailerPosition position;
    private final boolean force;
    private final Runnable onClose;

    Tailer(String name, JournalReader reader, TailerPosition position, boolean force, Runnable onClose) {
        this.name = name;
        this.reader = reader;
        this.position = position;
        this.force = force;
        this.onClose = onClose;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the sequence of the last record that was committed; 0 for none. */
    public long committedSequence() {
        return position.sequence();
    }

    /**
     * Hands out the next durable records; see {@link JournalReader#poll}. A record whose handler has thrown is not among those that
     * {@link #commit} remembers.
     */
    public int poll(RecordHandler handler, int maxRecords) throws JournalException {
        return reader.poll(handler, maxRecords);
    }

    /** Remembers all that was handed out as handled, as durably as the journal's level says. */
    public void commit() throws JournalException {
        long handled = reader.nextSequence() - 1;
        if (handled == position.sequence()) {
            return;
        }
        try {
            position.move(handled);
            if (force) {
                position.force();
            }
        } catch (IOException e) {
            throw new JournalException("cannot keep the position of the tailer " + name + ": " + e.getMessage(), e);
        }
    }

    /** Closes the tailer without committing; its position stays. */
    @Override
    public void close() throws JournalException {
        onClose.run();
        JournalException thrown = Closing.all(null, reader, position);
        if (thrown != null) {
            throw thrown;
        }
    }
}
