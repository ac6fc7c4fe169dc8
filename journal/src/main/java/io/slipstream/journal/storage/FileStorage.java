package io.slipstream.journal.storage;

import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder of the real file system. */
public final class FileStorage implements Storage {
    private final Path folder;
    private volatile @Nullable FolderLock lock;

    /* Open from the first time on: a process that has too many files open still makes names durable. */
    private @Nullable StorageFile directory;
    private boolean closed;

    private FileStorage(Path folder) {
        this.folder = folder;
    }

    /**
     * Opens a folder for writing and creates it if it is not there; its entry in the folder above is durable when this
     * returns.
     *
     * @throws JournalException if there is something else of this name, or it cannot be written
     */
    public static FileStorage open(Path folder) throws JournalException {
        try {
            createDurably(folder.toAbsolutePath());
        } catch (FileAlreadyExistsException | NotDirectoryException e) {
            throw new JournalException(folder + " is not a folder; name a folder for the journal", e);
        } catch (AccessDeniedException | ReadOnlyFileSystemException e) {
            throw notWritable(folder, e);
        } catch (IOException e) {
            throw isReadOnly(folder)
                    ? notWritable(folder, e)
                    : new JournalException("cannot create the folder " + folder + ": " + e, e);
        }
        if (!Files.isWritable(folder)) {
            throw notWritable(folder, null);
        }
        return new FileStorage(folder);
    }

    /**
     * Creates what is missing of a folder and those above it, from the top down, and makes the entry of each durable.
     * So is the entry of the lowest that is there already: whoever has created it may have come no further.
     */
    private static void createDurably(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            Path above = folder.toRealPath().getParent();
            if (above != null && Files.isReadable(above)) {
                force(above);
            }
            return;
        }
        Path above = folder.getParent();
        if (above != null) {
            createDurably(above);
        }
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        }
        if (above != null) {
            force(above);
        }
    }

    private static void force(Path directory) throws IOException {
        try (StorageFile opened = new ChannelFile(directory, StandardOpenOption.READ)) {
            opened.force();
        }
    }

    /**
     * Opens an existing folder for looking at, and changes nothing in it.
     *
     * @throws JournalException if there is no such folder
     */
    public static FileStorage openExisting(Path folder) throws JournalException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new JournalException(folder + " is not a folder; name the folder of a journal");
        }
        if (!Files.isDirectory(folder)) {
            throw new JournalException("there is no folder " + folder);
        }
        return new FileStorage(folder);
    }

    /** Makes the entry of a folder in the one above it durable. */
    public static void syncAbove(Path folder) throws IOException {
        Path above = folder.toAbsolutePath().getParent();
        if (above != null) {
            force(above);
        }
    }

    @Override
    public String description() {
        return folder.toString();
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Takes a lock of the operating system on a file of the folder; the system frees it when the process ends. */
    @Override
    public Closeable lock() throws IOException {
        try {
            FolderLock taken = FolderLock.take(folder);
            lock = taken;
            return taken;
        } catch (AccessDeniedException e) {
            throw notWritable(folder, e);
        } catch (IOException e) {
            throw isReadOnly(folder) ? notWritable(folder, e) : e;
        }
    }

    @Override
    public void requireLock() throws IOException {
        FolderLock taken = lock;
        if (taken != null) {
            taken.require();
        }
    }

    @Override
    public StorageFile create(String name) throws IOException {
        return new ChannelFile(
                folder.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @Override
    public StorageFile open(String name) throws IOException {
        return new ChannelFile(folder.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @Override
    public StorageFile open(String name, WriteMode mode) throws IOException {
        Path path = folder.resolve(name);
        return switch (mode) {
            case BUFFERED, MAPPED -> open(name);
            case DSYNC ->
                new ChannelFile(path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
            case DIRECT -> openDirect(path);
        };
    }

    private static StorageFile openDirect(Path path) throws IOException {
        try {
            return new ChannelFile(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DSYNC, direct());
        } catch (IOException | UnsupportedOperationException | ClassNotFoundException e) {
            throw new JournalException(
                    "the file system of " + path + " cannot write past the page cache ("
                            + JournalException.reason(e)
                            + "); use another write mode than DIRECT",
                    e);
        }
    }

    /** Finds the option by its name, because the compiler warns of it in a way that cannot be silenced. */
    private static OpenOption direct() throws ClassNotFoundException {
        for (Object option :
                Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
            if (option instanceof OpenOption found && option.toString().equals("DIRECT")) {
                return found;
            }
        }
        throw new UnsupportedOperationException("no such option in this JDK");
    }

    @Override
    public StorageFile openForReading(String name) throws IOException {
        return new ChannelFile(folder.resolve(name), StandardOpenOption.READ);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(
                folder.resolve(from),
                folder.resolve(to),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.delete(folder.resolve(name));
    }

    @Override
    public void syncDirectory() throws IOException {
        StorageFile kept = directory();
        if (kept == null) {
            force(folder);
        } else {
            kept.force();
        }
    }

    private synchronized @Nullable StorageFile directory() throws IOException {
        if (directory == null && !closed) {
            directory = new ChannelFile(folder, StandardOpenOption.READ);
        }
        return directory;
    }

    @Override
    public long usableBytes() throws IOException {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            // It opens a file to find the device. Without that the system tells, and gives 0 also for an error.
            long bytes = folder.toFile().getUsableSpace();
            if (bytes == 0) {
                throw e;
            }
            return bytes;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        StorageFile kept = directory;
        directory = null;
        if (kept != null) {
            kept.close();
        }
    }

    private static JournalException notWritable(Path folder, @Nullable Throwable cause) {
        return new JournalException(
                isReadOnly(folder)
                        ? "the file system of the folder " + folder
                                + " is mounted read-only, so that a journal cannot be"
                                + " opened for writing there; mount it for writing, or read the records with"
                                + " `slipstream journal dump` or io.slipstream.journal.tool.RecordWalk"
                        : "the folder " + folder + " cannot be written; check its owner and permissions",
                cause);
    }

    /** Returns whether the file system is read-only that has the folder, or the next one above it that is there. */
    private static boolean isReadOnly(Path folder) {
        Path there = folder.toAbsolutePath();
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        try {
            return there != null && (Files.getFileStore(there).isReadOnly() || isBoundReadOnly(there));
        } catch (IOException e) {
            return false;
        }
    }

    /** Asks the kernel: the store of a read-only bind mount is that of the device, which may be written elsewhere. */
    private static boolean isBoundReadOnly(Path there) throws IOException {
        there.getFileSystem().provider().checkAccess(there, AccessMode.READ);
        try {
            there.getFileSystem().provider().checkAccess(there, AccessMode.WRITE);
            return false;
        } catch (FileSystemException e) {
            // EROFS has no class of its own, and its text is in the language of the system.
            return e.getClass() == FileSystemException.class;
        }
    }
}
