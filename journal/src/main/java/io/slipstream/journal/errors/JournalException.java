package io.slipstream.journal.errors;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/** Says, in words for the person who runs the service, what is wrong with a journal, where, and what to do. */
public class JournalException extends IOException {
    private static final long serialVersionUID = 1;

    /** Creates an exception. */
    public JournalException(String message) {
        super(message);
    }

    /** Creates an exception with a cause. */
    public JournalException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
