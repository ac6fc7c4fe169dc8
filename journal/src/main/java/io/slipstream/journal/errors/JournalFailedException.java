package io.slipstream.journal.errors;

/**
 * A write or a force has failed, so nobody can know what is on the device. The journal accepts nothing any more; what
 * was durable before is. The way on is to close it and open it again, which finds out what is really there.
 */
public class JournalFailedException extends JournalException {
    private static final long serialVersionUID = 1;

    /** Creates an exception for the failure that has poisoned the journal. */
    public JournalFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
