package io.slipstream.journal;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Whether a journal has failed, once and for good, and what its owner is told then. Any thread. */
final class Poison {
    private final String journal;
    private final Sequence durableSequence;
    private volatile @Nullable JournalFailedException cause;

    Poison(String journal, Sequence durableSequence) {
        this.journal = journal;
        this.durableSequence = durableSequence;
    }

    /** Returns what has poisoned the journal, or null. */
    @Nullable
    JournalFailedException cause() {
        return cause;
    }

    /** Poisons the journal, if it is not; returns what to throw. The first cause is the one that counts. */
    synchronized JournalFailedException poison(Throwable thrown) {
        if (thrown instanceof JournalFailedException known) {
            return known;
        }
        JournalFailedException first = cause;
        if (first != null) {
            first.addSuppressed(thrown);
            return new JournalFailedException(String.valueOf(first.getMessage()), first);
        }
        JournalFailedException poisoned = new JournalFailedException(
                "the journal in " + journal
                        + " has failed and accepts nothing any more: " + reason(thrown) + ". Records up to "
                        + durableSequence.getAcquire()
                        + " are durable. " + remedy(thrown) + ", then open the journal again",
                thrown);
        cause = poisoned;
        return poisoned;
    }

    private static String remedy(Throwable thrown) {
        return thrown instanceof IOException || thrown instanceof InternalError
                ? "Look at the device"
                : "This is no failure of the device: look at the cause";
    }

    /** The JVM calls a page that the device could not give for a mapping an unsafe access. */
    private static String reason(Throwable thrown) {
        return thrown instanceof InternalError
                ? "the device could not give a page of a mapped segment, most often because it" + " is full ("
                        + thrown.getMessage() + ")"
                : JournalException.reason(thrown);
    }

    /**
     * Makes the names in the folder durable. When that fails nobody knows which of them are, and what rests on them is
     * lost: it poisons the journal.
     */
    void syncDirectory(Storage storage) throws JournalFailedException {
        try {
            storage.syncDirectory();
        } catch (IOException e) {
            throw poison(e);
        }
    }

    /** Throws if the journal is poisoned. */
    void requireNone() throws JournalFailedException {
        JournalFailedException poisoned = cause;
        if (poisoned != null) {
            throw new JournalFailedException(String.valueOf(poisoned.getMessage()), poisoned);
        }
    }
}
