package io.slipstream.journal;

import io.slipstream.journal.errors.JournalException;
import org.jspecify.annotations.Nullable;

/** Closes several things, each of them whatever happens to the others. */
final class Closing {
    private Closing() {}

    /** Closes all; returns {@code thrown}, or the first exception if it is null, with the others attached. */
    static @Nullable JournalException all(@Nullable JournalException thrown, AutoCloseable... resources) {
        JournalException first = thrown;
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Exception e) {
                if (first == null) {
                    first = e instanceof JournalException known
                            ? known
                            : new JournalException("cannot close the journal: " + JournalException.reason(e), e);
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        return first;
    }

    /** Closes those that are there and attaches what they throw to {@code thrown}. */
    static void quietly(Throwable thrown, @Nullable AutoCloseable... resources) {
        for (AutoCloseable resource : resources) {
            try {
                if (resource != null) {
                    resource.close();
                }
            } catch (Exception e) {
                thrown.addSuppressed(e);
            }
        }
    }
}
