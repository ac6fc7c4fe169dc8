package io.slipstream.journal.errors;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

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

    /**
     * Says why something has failed: the JDK names the file alone where permission is missing or there is no such file.
     * What is no failure of a file has its class before its message, such as a class that the JVM could not load.
     */
    public static String reason(Throwable cause) {
        return switch (cause) {
            case AccessDeniedException e -> "no permission for " + e.getFile();
            case NoSuchFileException e -> "there is no file " + e.getFile();
            case FileAlreadyExistsException e -> "there is a file " + e.getFile() + " already";
            case IOException e when e.getMessage() != null -> e.getMessage();
            default -> cause.toString();
        };
    }
}
