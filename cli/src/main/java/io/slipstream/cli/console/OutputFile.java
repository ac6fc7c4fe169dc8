package io.slipstream.cli.console;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a command writes because its user has named one: what goes wrong names that file. */
public final class OutputFile {
    private OutputFile() {}

    /** Writes all of it, in place of what is there. */
    public static void write(Path file, String text) throws IOException {
        requireFolder(file);
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw failure(file, file, e);
        }
    }

    /** Requires that there is a folder for the file. */
    public static void requireFolder(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new IOException("cannot write " + file + ": there is no folder " + folder + "; create it first");
        }
    }

    /**
     * Returns what to throw.
     *
     * @param file    that the user has named
     * @param written that was written in its place, which may be the same
     */
    public static IOException failure(Path file, Path written, IOException e) {
        return new IOException(
                "cannot write " + file + ": " + reason(written, e)
                        + ". Make room or check the permissions, or name another file",
                e);
    }

    private static String reason(Path written, IOException e) {
        String message = e instanceof FileSystemException system ? system.getReason() : e.getMessage();
        if (message == null || message.isBlank()) {
            return e.getClass().getSimpleName();
        }
        // So speaks FileOutputStream.
        String name = written + " (";
        return message.startsWith(name) && message.endsWith(")")
                ? message.substring(name.length(), message.length() - 1)
                : message;
    }
}
