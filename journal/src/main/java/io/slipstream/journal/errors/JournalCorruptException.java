package io.slipstream.journal.errors;

/** What was durable is damaged or missing. Nothing was changed. */
public class JournalCorruptException extends JournalException {
    private static final long serialVersionUID = 1;

    private final String file;
    private final long offset;

    /** Creates an exception that names the file and the offset of the damage. */
    public JournalCorruptException(String file, long offset, String message) {
        super(message);
        this.file = file;
        this.offset = offset;
    }

    /** Returns the name of the damaged, or missing, file in the journal's folder. */
    public String file() {
        return file;
    }

    /** Returns the offset in the file of the first damaged frame, or 0 for its header. */
    public long offset() {
        return offset;
    }
}
