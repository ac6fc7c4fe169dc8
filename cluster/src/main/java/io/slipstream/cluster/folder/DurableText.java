package io.slipstream.cluster.folder;

import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A short file that is there as a whole, in its former version or the new one, even after a loss of power. */
public final class DurableText {
    private DurableText() {}

    /** Writes it; it is durable when this returns. */
    public static void write(Path directory, String name, String text) throws IOException {
        Path draft = directory.resolve(name + ".new");
        // An interrupt closes a channel, but neither this stream nor the storage's files.
        try (FileOutputStream out = new FileOutputStream(draft.toFile())) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.getFD().sync();
        }
        Files.move(draft, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        try (Storage folder = FileStorage.open(directory)) {
            folder.syncDirectory();
        }
    }
}
