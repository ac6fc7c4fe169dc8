package io.slipstream.core.counters;

import io.slipstream.core.memory.Region;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file that an earlier owner left at a place where a new one creates its own. */
final class LeftFile {
    private LeftFile() {}

    /**
     * Deletes {@code file} if it is a counters file that was closed, or whose process has ended. Does nothing if there
     * is none.
     *
     * @throws IOException if its owner lives, or it is no whole counters file: then it stays as it is
     */
    static void remove(Path file) throws IOException {
        try (FileChannel locked = FileChannel.open(file, StandardOpenOption.WRITE)) {
            requireLock(file, locked);
            // Of two that want the place, the second may have locked the file that the first has deleted: what is
            // judged is opened under the lock. It stays open, for closing it would end the lock.
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                    Region region = Region.map(file, channel, FileChannel.MapMode.READ_ONLY);
                    CountersReader reader = new CountersReader(file, region, CountersReader.check(file, region))) {
                if (reader.isAlive()) {
                    throw inUse(file, "by process " + reader.pid());
                }
                Files.delete(file);
            }
        } catch (NoSuchFileException e) {
            // The place is free.
        }
    }

    private static void requireLock(Path file, FileChannel channel) throws IOException {
        try {
            if (channel.tryLock() == null) {
                throw inUse(file, "by a process that locks it");
            }
        } catch (OverlappingFileLockException e) {
            throw inUse(file, "by this process");
        }
    }

    private static IOException inUse(Path file, String by) {
        return new IOException(file + " is in use " + by + "; end that one, or create another file");
    }
}
