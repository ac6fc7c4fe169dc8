package io.slipstream.replica.primary;

import io.slipstream.journal.Journal;
import io.slipstream.journal.Tailer;
import io.slipstream.journal.errors.JournalException;
import org.jspecify.annotations.Nullable;

/** Keeps the journal from being trimmed before the backup has it: a tailer that is moved when little else is to do. */
final class Retained {
    private static final String NAME = "backup-site";
    private static final int RECORDS_AT_ONCE = 1 << 16;

    /* Moving it costs a force. */
    private static final long INTERVAL_NANOS = 5_000_000_000L;

    private @Nullable Tailer tailer;
    private long movedAtNanos;

    /** Lets go of what the backup has; now and then. */
    void advance(Journal journal, long acknowledged) throws JournalException {
        long now = System.nanoTime();
        if (tailer != null && now - movedAtNanos < INTERVAL_NANOS) {
            return;
        }
        movedAtNanos = now;
        Tailer open = tailer == null ? journal.tailer(NAME) : tailer;
        tailer = open;
        long missing = acknowledged - open.committedSequence();
        while (missing > 0) {
            int polled = open.poll((memory, offset, length) -> { }, (int) Math.min(missing, RECORDS_AT_ONCE));
            if (polled == 0) {
                break;
            }
            missing -= polled;
        }
        open.commit();
    }

    void close() {
        try {
            if (tailer != null) {
                tailer.close();
            }
        } catch (JournalException e) {
            // Its position stays where it was, and the journal keeps more than it needs.
        }
    }
}
