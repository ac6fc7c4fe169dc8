package io.slipstream.journal.errors;

/** Another process, or another journal of this one, has the folder open. */
public class JournalLockedException extends JournalException {
    private static final long serialVersionUID = 1;

    /** Creates an exception for the folder that is in use. */
    public JournalLockedException(String folder) {
        super("the journal in " + folder
                + " is in use by another process, or elsewhere in this one; stop that, or choose another folder");
    }
}
