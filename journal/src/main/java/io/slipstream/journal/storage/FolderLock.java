package io.slipstream.journal.storage;

import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalLockedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lock of a folder: one of the operating system's on a file in it, which keeps other processes out and ends with
 * this one, and an entry among the folders that this process has locked.
 *
 * <p>The system's lock belongs to the process and not to a channel: closing any channel of the file frees it (see
 * {@link FileLock}). So the file is not even opened while this process has the lock already.
 */
final class FolderLock implements Closeable {
    private static final String FILE = "journal.lock";
    private static final Set<Object> LOCKED_HERE = ConcurrentHashMap.newKeySet();

    /** What must stay open because this class, loaded a second time in this process, has the lock. */
    private static final Set<FileChannel> LOCKED_BY_ANOTHER_LOADER = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final Object folder;
    private final FileChannel channel;
    private final Object file;

    private FolderLock(Path path, Object folder, FileChannel channel) throws IOException {
        this.path = path;
        this.folder = folder;
        this.channel = channel;
        this.file = identity(path.resolve(FILE));
    }

    /** Requires that the file which is locked is the one that others would lock. */
    void require() throws IOException {
        try {
            if (channel.isOpen() && identity(path.resolve(FILE)).equals(file)) {
                return;
            }
        } catch (NoSuchFileException e) {
            // Said below.
        }
        throw new JournalException(FILE + " in " + path
                + " was removed or replaced while this process had it locked, so that"
                + " another writer may have come in; stop all of them, and open the journal again");
    }

    /** Takes the lock of a folder; any thread may. */
    static FolderLock take(Path path) throws IOException {
        Object folder = identity(path);
        if (!LOCKED_HERE.add(folder)) {
            throw new JournalLockedException(path.toString());
        }
        try {
            return new FolderLock(path, folder, lock(path));
        } catch (IOException | RuntimeException | Error e) {
            LOCKED_HERE.remove(folder);
            throw e;
        }
    }

    /** Frees the lock; closing again does nothing. */
    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            try {
                channel.close();
            } finally {
                LOCKED_HERE.remove(folder);
            }
        }
    }

    private static FileChannel lock(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new JournalLockedException(path.toString());
            }
            return channel;
        } catch (OverlappingFileLockException e) {
            LOCKED_BY_ANOTHER_LOADER.add(channel);
            throw new JournalLockedException(path.toString());
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Returns what a folder or file has in common with itself under any other name. */
    private static Object identity(Path path) throws IOException {
        Path real = path.toRealPath();
        Object key = Files.readAttributes(real, BasicFileAttributes.class).fileKey();
        return key == null ? real : key;
    }
}
