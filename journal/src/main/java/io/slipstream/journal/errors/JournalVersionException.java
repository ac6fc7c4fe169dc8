package io.slipstream.journal.errors;

/** A journal was written in a format that this version does not know. Nothing was changed. */
public class JournalVersionException extends JournalException {
    private static final long serialVersionUID = 1;

    /** Creates an exception for the file and the version found in it. */
    public JournalVersionException(String file, int found, int known) {
        super(file + " has format version " + found + "; this program reads versions up to " + known
                + ". Use a newer version of the program, or another folder");
    }
}
