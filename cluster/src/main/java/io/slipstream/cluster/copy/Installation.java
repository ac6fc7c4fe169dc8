package io.slipstream.cluster.copy;

import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.agrona.IoUtil;

/**
 * Puts a copy where a member keeps its log, in one step: before it the member has what it had, behind it what was
 * copied, even if it is killed or loses power in between.
 *
 * <pre>
 *   copy.new/    is being filled; nothing counts
 *   copy.done/   is complete and durable: it counts, and each start moves what is still in it to its place
 * </pre>
 */
public final class Installation {
    private static final String NEW = "copy.new";
    private static final String DONE = "copy.done";
    private static final List<String> PARTS = List.of("archive", "cluster");

    private Installation() {}

    /** Returns an empty folder to copy into, with the parts of a member. */
    static Path begin(Path directory) throws IOException {
        abandon(directory);
        Path fresh = directory.resolve(NEW);
        for (String part : PARTS) {
            Files.createDirectories(fresh.resolve(part));
        }
        return fresh;
    }

    /** Removes what was copied, and gives back its room. */
    static void abandon(Path directory) {
        IoUtil.delete(directory.resolve(NEW).toFile(), true);
    }

    /** Lets a copy count, whose files are durable. */
    static void commit(Path directory) throws IOException {
        for (String part : PARTS) {
            sync(directory.resolve(NEW).resolve(part));
        }
        sync(directory.resolve(NEW));
        Files.move(directory.resolve(NEW), directory.resolve(DONE), StandardCopyOption.ATOMIC_MOVE);
        sync(directory);
        finish(directory);
    }

    /** Moves a copy that counts to its place, if there is one; before the folder is looked at. */
    public static void finish(Path directory) throws IOException {
        Path done = directory.resolve(DONE);
        if (Files.isDirectory(done)) {
            for (String part : PARTS) {
                if (Files.isDirectory(done.resolve(part))) {
                    IoUtil.delete(directory.resolve(part).toFile(), false);
                    Files.move(done.resolve(part), directory.resolve(part), StandardCopyOption.ATOMIC_MOVE);
                }
            }
            sync(directory);
            Files.delete(done);
            sync(directory);
        }
        abandon(directory);
    }

    private static void sync(Path folder) throws IOException {
        try (Storage storage = FileStorage.open(folder)) {
            storage.syncDirectory();
        }
    }
}
