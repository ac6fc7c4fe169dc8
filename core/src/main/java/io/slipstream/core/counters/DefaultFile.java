package io.slipstream.core.counters;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the counters of a process are unless it was told otherwise. The process locks its file as long as it lives: the
 * next one removes the files of those that were killed long ago, and a lock tells also of a process that it cannot see,
 * as in another container.
 */
final class DefaultFile {
    private static final String PREFIX = "slipstream-";
    private static final String SUFFIX = ".counters";

    private DefaultFile() {}

    static Path folder() {
        Path memory = Path.of("/dev/shm");
        return Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
    }

    static Path of(long pid) {
        return folder().resolve(PREFIX + pid + SUFFIX);
    }

    /** Returns a channel that holds the lock until it is closed, or null where files cannot be locked. */
    static @Nullable FileChannel lock(Path file) {
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
            try {
                if (channel.tryLock() != null) {
                    return channel;
                }
            } catch (IOException | OverlappingFileLockException e) {
                // Then there is none.
            }
            channel.close();
        } catch (IOException e) {
            // It is a convenience.
        }
        return null;
    }

    /** Deletes the files in {@code folder} of processes that are no more, but for the {@code kept} newest ones. */
    static void removeThoseOfTheDead(Path folder, int kept) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*" + SUFFIX)) {
            NavigableMap<FileTime, Path> dead = new TreeMap<>();
            for (Path file : files) {
                if (isOfTheDead(file)) {
                    dead.put(Files.getLastModifiedTime(file), file);
                }
            }
            while (dead.size() > kept) {
                Files.deleteIfExists(dead.pollFirstEntry().getValue());
            }
        } catch (IOException | DirectoryIteratorException e) {
            // What others have left does not keep this process from counting.
        }
    }

    private static boolean isOfTheDead(Path file) throws IOException {
        String name = file.getFileName().toString();
        try {
            long pid = Long.parseLong(name.substring(PREFIX.length(), name.length() - SUFFIX.length()));
            if (ProcessHandle.of(pid).isPresent()) {
                return false;
            }
        } catch (NumberFormatException e) {
            return false;
        }
        FileChannel locked = lock(file);
        if (locked == null) {
            return false;
        }
        locked.close();
        return true;
    }
}
