package io.slipstream.journal;

import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;

/** Looks now and then, while the owner of a journal is idle, whether somebody has removed its lock. For the owner. */
final class LockWatch {
    private static final long INTERVAL_NANOS = 1_000_000_000;

    private final Storage storage;
    private final Poison failure;
    private long seenNanos = System.nanoTime();

    LockWatch(Storage storage, Poison failure) {
        this.storage = storage;
        this.failure = failure;
    }

    /** Poisons the journal if the lock no longer keeps others out. */
    void look() throws JournalFailedException {
        long now = System.nanoTime();
        if (now - seenNanos < INTERVAL_NANOS) {
            return;
        }
        seenNanos = now;
        try {
            storage.requireLock();
        } catch (IOException e) {
            throw failure.poison(e);
        }
    }
}
