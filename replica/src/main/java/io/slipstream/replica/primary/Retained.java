package io.slipstream.replica.primary;

import io.slipstream.journal.Journal;
import io.slipstream.journal.Tailer;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.replica.site.Site;
import io.slipstream.service.host.Host;

/** Keeps the journal from being trimmed before the backup has it: a tailer that is moved now and then. */
final class Retained {
    /* Moving it costs a force. */
    private static final long INTERVAL_NANOS = 5_000_000_000L;

    private final Tailer tailer;
    private final Host host;
    private long movedAtNanos;

    /** Keeps all that is there, until {@link #advance}. */
    Retained(Journal journal, Host host) throws JournalException {
        this.host = host;
        movedAtNanos = host.nanoTime() - INTERVAL_NANOS;
        tailer = journal.tailer(Site.TAILER);
    }

    /** Lets go of what the backup has; now and then. */
    void advance(long acknowledged) throws JournalException {
        long now = host.nanoTime();
        if (now - movedAtNanos < INTERVAL_NANOS || acknowledged <= tailer.committedSequence()) {
            return;
        }
        movedAtNanos = now;
        tailer.pass(acknowledged);
        try {
            tailer.commit();
        } catch (JournalFailedException e) {
            throw e;
        } catch (JournalException e) {
            // A full device, perhaps. The position stays where it was, and the journal keeps more than it needs.
        }
    }

    void close() {
        try {
            tailer.close();
        } catch (JournalException e) {
            // Its position stays where it was, and the journal keeps more than it needs.
        }
    }
}
