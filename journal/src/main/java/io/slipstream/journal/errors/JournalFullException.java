package io.slipstream.journal.errors;

/**
 * There is no room for a record: a further segment cannot be prepared, and the cause says why. Nothing was accepted.
 * All that was accepted before is intact, can be committed and read, and appending works again as soon as there is
 * room. From opening a journal it means that there is no room to begin or to go on; nothing was changed that the next
 * opening would not find as it was.
 */
public class JournalFullException extends JournalException {
    private static final long serialVersionUID = 1;

    /** Creates an exception. */
    public JournalFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
