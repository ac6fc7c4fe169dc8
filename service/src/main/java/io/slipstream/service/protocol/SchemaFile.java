package io.slipstream.service.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * The file beside a log that says what its commands look like: the latest definitions with which it was served. They
 * read the bytes of all earlier ones. Tools show commands by it, and a start compares it with its machine's.
 */
public final class SchemaFile {
    /** Its name in the folder of the log. */
    public static final String NAME = "commands.schema";

    private SchemaFile() {}

    /**
     * Writes the file, unless it says the same.
     *
     * @throws IOException if it cannot be written; the former one stands
     */
    public static void write(Path folder, String schema) throws IOException {
        if (!schema.equals(read(folder))) {
            Path next = folder.resolve(NAME + ".tmp");
            Files.writeString(next, schema);
            Files.move(next, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Returns what the file in {@code folder} says, or null if there is none. */
    public static @Nullable String read(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        return Files.isRegularFile(file) ? Files.readString(file) : null;
    }
}
