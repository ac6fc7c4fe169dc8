package io.slipstream.cluster.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The right to use a folder; the kernel ends it with the process, however that ends. */
public record DirectoryLock(FileChannel channel) implements AutoCloseable {
    private static final String FILE = "member.lock";

    /** As {@link #of(Path)}, for a folder that must be there. */
    public static DirectoryLock ofExisting(Path directory) throws IOException {
        if (!Files.isDirectory(directory.resolve("cluster"))) {
            throw new IOException(directory + " is not the folder of a member of a cluster");
        }
        return of(directory);
    }

    /** Takes the folder of a member, and makes it if it is not there. */
    public static DirectoryLock of(Path directory) throws IOException {
        return of(directory, FILE, "another member uses the folder " + directory + "; each has one of its own");
    }

    /**
     * Takes a folder, and makes it if it is not there.
     *
     * @param file    that is locked in it
     * @param refusal what is said if another one has it
     */
    public static DirectoryLock of(Path directory, String file, String refusal) throws IOException {
        Files.createDirectories(directory);
        FileChannel channel =
                FileChannel.open(directory.resolve(file), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock held = channel.tryLock();
            if (held != null) {
                return new DirectoryLock(channel);
            }
        } catch (OverlappingFileLockException e) {
            // This process holds it; the message below says it.
        }
        channel.close();
        throw new IOException(refusal);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The process lets go of it at its end.
        }
    }
}
