package io.slipstream.journal;

import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.segment.Denial;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.util.UUID;

/** Removes the oldest segments of a journal. For its owner. */
final class Trim {
    private final Storage storage;
    private final UUID journalId;
    private final Catalog catalog;
    private final Appender appender;
    private final Skips skips;
    private final Poison failure;

    Trim(Storage storage, UUID journalId, Catalog catalog, Appender appender, Skips skips, Poison failure) {
        this.storage = storage;
        this.journalId = journalId;
        this.catalog = catalog;
        this.appender = appender;
        this.skips = skips;
        this.failure = failure;
    }

    /** Removes the segments that hold nothing but records before {@code bound}, after saying so durably. */
    void before(long bound) throws JournalException {
        SegmentHeader second = catalog.second();
        if (second == null || second.baseSequence() > bound) {
            return;
        }
        Retention.announce(storage, journalId, failure, bound);
        try {
            storage.requireLock();
            for (SegmentHeader next = second; next != null && next.baseSequence() <= bound; next = catalog.second()) {
                // It will be the first one, and without a header nobody would know which records are missing.
                appender.forceBeginning(next);
                removeOldest();
            }
            skips.removeBefore(storage, catalog.oldest().baseSequence());
        } catch (IOException e) {
            if (Denial.is(e)) {
                throw new JournalException(
                        "cannot trim the journal in " + storage.description() + " any further than to record "
                                + catalog.oldest().baseSequence() + ": " + JournalException.reason(e) + "; "
                                + Denial.remedy(e) + ", and try again",
                        e);
            }
            // The names of the files are no longer known for sure; what is removed next could leave a gap.
            throw failure.poison(e);
        }
    }

    private void removeOldest() throws IOException {
        // Readers must not look for what is gone.
        SegmentHeader oldest = catalog.removeOldest();
        try {
            Retention.remove(storage, appender.supply(), oldest);
        } catch (IOException e) {
            if (Denial.is(e)) {
                catalog.putBack(oldest);
            }
            throw e;
        }
    }
}
