package io.slipstream.journal.storage;

import io.slipstream.journal.config.WriteMode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A folder of files, as a journal sees it: the seam between the journal and the device, real or simulated.
 *
 * <p>What survives a crash of the system: the bytes of a file that were forced, and the names that were there at the
 * last {@link #syncDirectory}. Anything else may survive or not. The folder itself is durable when there is a storage
 * for it.
 */
public interface Storage extends AutoCloseable {
    /** Returns what messages call this folder: its path. */
    String description();

    /** Returns the names of the files in the folder, in no particular order. */
    List<String> list() throws IOException;

    /**
     * Takes the folder's lock, which belongs to the process and ends with it.
     *
     * @throws io.slipstream.journal.errors.JournalLockedException if another process, or another user in this one, has
     *                                                             it
     */
    Closeable lock() throws IOException;

    /**
     * Requires that the lock which was taken still keeps others out: on a file system it is a file, and somebody may
     * have removed it. Where that cannot happen, nothing is done.
     *
     * @throws io.slipstream.journal.errors.JournalException if it does not
     */
    default void requireLock() throws IOException {}

    /**
     * Creates a file that must not exist, for reading and writing.
     *
     * @throws java.nio.file.FileAlreadyExistsException if it does
     */
    StorageFile create(String name) throws IOException;

    /** Creates a file for reading and writing, in place of one that was left behind with this name. */
    default StorageFile createAnew(String name) throws IOException {
        try {
            delete(name);
        } catch (NoSuchFileException e) {
            // As it should be.
        }
        return create(name);
    }

    /**
     * Opens a file that must exist, for reading and writing.
     *
     * @throws java.nio.file.NoSuchFileException if it does not, as the other ways of opening do, and renaming and
     *                                           removing
     */
    StorageFile open(String name) throws IOException;

    /** Opens a file that must exist, for writing in some way. */
    default StorageFile open(String name, WriteMode mode) throws IOException {
        return open(name);
    }

    /** Opens a file that must exist, for reading alone. */
    StorageFile openForReading(String name) throws IOException;

    /** Gives a file another name; a file that has this name already is replaced, all in one step. */
    void rename(String from, String to) throws IOException;

    /** Removes a file. */
    void delete(String name) throws IOException;

    /** Makes the names in the folder durable. */
    void syncDirectory() throws IOException;

    /** Returns how many more bytes the device has room for, as far as it says so. */
    long usableBytes() throws IOException;

    /**
     * Returns where what is called {@code name} is to be done beside the owner of a journal, or null to leave that to
     * the journal: its own threads, or the owner's.
     */
    default @Nullable BackgroundTasks backgroundTasks(String name) {
        return null;
    }

    /** Gives back what the storage itself holds; files and locks are closed by their holders. */
    @Override
    void close() throws IOException;
}
