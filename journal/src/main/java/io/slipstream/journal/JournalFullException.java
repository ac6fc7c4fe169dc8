package io.slipstream.journal;

/**
 * There is no room for a record. It was not accepted; all that was accepted before is intact, can be committed and
 * read,
 * and appending works again as soon as there is room.
 */
public class JournalFullException extends JournalException {
    private static final long serialVersionUID = 1;

    /** Creates an exception. */
    public JournalFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
