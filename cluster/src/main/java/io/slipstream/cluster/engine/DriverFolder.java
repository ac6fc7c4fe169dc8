package io.slipstream.cluster.engine;

import io.aeron.CommonContext;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.agrona.IoUtil;
import org.jspecify.annotations.Nullable;

/**
 * Where Aeron's driver has its files: in shared memory if there is room, or in the member's folder.
 *
 * <p>In shared memory a file with a lock stands beside it, which the kernel releases when its process ends, however
 * that ends. Each start removes what members have left whose lock is free.
 */
final class DriverFolder implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.slipstream.cluster");
    private static final String PREFIX = "slipstream-cluster-";
    private static final String LOCK = ".lock";
    private static final long DEAD_MILLIS = 10_000;
    private static final int ATTEMPTS = 500;
    private static final long PAUSE_NANOS = 10_000_000;
    /* Closing a second channel of a file would release the lock of the first. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final @Nullable Path lockFile;
    private final @Nullable FileChannel lock;

    private DriverFolder(Path path, @Nullable Path lockFile, @Nullable FileChannel lock) {
        this.path = path;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /**
     * Chooses it.
     *
     * @param shared    where shared memory is, if it is there at all
     * @param bytes     that the driver needs at most
     * @param directory of the member
     */
    static DriverFolder choose(Path shared, long bytes, Path directory) throws IOException {
        Path own = directory.resolve("driver");
        if (!Files.isWritable(shared)) {
            return new DriverFolder(own, null, null);
        }
        removeAbandoned(shared);
        Path name = named(shared, directory);
        Path lockFile = shared.resolve(name.getFileName() + LOCK);
        FileChannel lock = lockOwn(lockFile);
        try {
            IoUtil.delete(name.toFile(), true);
            long room = Files.getFileStore(shared).getUsableSpace();
            if (room >= bytes) {
                return new DriverFolder(name, lockFile, lock);
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    shared + " has room for " + (room >> 20) + " MiB, and a member needs up to "
                            + ((bytes >> 20) + 1) + ". It uses " + own
                            + " instead, which may be slower. Give it more room, for example with --shm-size=256m"
                            + " of Docker, or as the size of a volume of the medium Memory in Kubernetes");
        } catch (IOException | RuntimeException | Error e) {
            release(lockFile, lock);
            throw e;
        }
        release(lockFile, lock);
        return new DriverFolder(own, null, null);
    }

    /** Returns the folder. */
    Path path() {
        return path;
    }

    /**
     * The same at each start, and that of no other member: not even of one whose folder has the same path, in another
     * container with the same shared memory.
     */
    private static Path named(Path shared, Path directory) throws IOException {
        String ofPath = PREFIX + digest(directory.toRealPath().toString()) + "-";
        Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
        Path own = shared.resolve(ofPath + digest(String.valueOf(key)));
        try (DirectoryStream<Path> others = Files.newDirectoryStream(shared, ofPath + "*")) {
            for (Path other : others) {
                // Of a folder that was at this path before, by a version without locks, unless somebody uses it.
                if (!other.equals(own)
                        && Files.isDirectory(other)
                        && !Files.exists(lockOf(other))
                        && !CommonContext.isDriverActive(other.toFile(), DEAD_MILLIS, _ -> {})) {
                    IoUtil.delete(other.toFile(), true);
                }
            }
        }
        return own;
    }

    private static Path lockOf(Path folder) {
        return folder.resolveSibling(folder.getFileName() + LOCK);
    }

    /** Removes the folders whose members have ended without doing so themselves. */
    private static void removeAbandoned(Path shared) throws IOException {
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(shared, PREFIX + "*" + LOCK)) {
            for (Path file : locks) {
                String name = file.getFileName().toString();
                try {
                    FileChannel held = lock(file, StandardOpenOption.WRITE);
                    if (held != null) {
                        Path folder = shared.resolve(name.substring(0, name.length() - LOCK.length()));
                        IoUtil.delete(folder.toFile(), true);
                        release(file, held);
                    }
                } catch (IOException | RuntimeException e) {
                    LOG.log(System.Logger.Level.DEBUG, "of another user, or gone: " + file, e);
                }
            }
        }
    }

    /** The member's own folder is locked already: whoever has this lock looks whether it is free, and lets go of it. */
    private static FileChannel lockOwn(Path file) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            FileChannel lock = lock(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock != null) {
                return lock;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new IOException("another process does not let go of " + file);
    }

    /** Returns what holds the lock; null if somebody else does, or has removed the file. */
    private static @Nullable FileChannel lock(Path file, OpenOption... options) throws IOException {
        if (!HELD.add(file)) {
            return null;
        }
        boolean holds = false;
        try {
            FileChannel channel = FileChannel.open(file, options);
            FileLock lock = channel.tryLock();
            holds = lock != null && Files.exists(file);
            if (holds) {
                return channel;
            }
            channel.close();
            return null;
        } finally {
            if (!holds) {
                HELD.remove(file);
            }
        }
    }

    /** The file goes first: what is locked and not there any more is nobody's. */
    private static void release(Path file, FileChannel held) throws IOException {
        Files.deleteIfExists(file);
        held.close();
        HELD.remove(file);
    }

    private static String digest(String text) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum, 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each JDK has SHA-256", e);
        }
    }

    /** Lets go of it, after the driver has removed it. */
    @Override
    public void close() throws IOException {
        if (lockFile != null && lock != null) {
            release(lockFile, lock);
        }
    }
}
