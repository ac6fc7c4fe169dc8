package io.slipstream.ipc.file;

import io.slipstream.core.memory.Region;
import io.slipstream.core.thread.Undisturbed;
import io.slipstream.ipc.errors.ChannelException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The file of a channel as this process has it: opened once, mapped once, with its kernel locks, however often it is
 * used here.
 *
 * <p>The kernel releases the locks of a process when the process dies, whatever it was doing, and also when it closes
 * any channel of the file. So a JVM opens a file only once: all users share the entry in {@link #OPEN}. For the same
 * reason nothing here runs on a thread that somebody may interrupt: an interrupt closes the channel that the thread is
 * using.
 */
public final class ChannelFile {
    private static final Map<Object, ChannelFile> OPEN = new HashMap<>();
    private static final int GATE_ATTEMPTS = 20_000;
    private static final long GATE_PAUSE_NANOS = 500_000;

    private final Object key;
    private final Path path;
    private final FileChannel channel;
    private final Region region;
    private final Layout layout;
    private final FileLock openLock;
    private boolean takesPart;
    private int users;

    private ChannelFile(Object key, Path path, FileChannel channel, Region region, Layout layout, FileLock openLock) {
        this.key = key;
        this.path = path;
        this.channel = channel;
        this.region = region;
        this.layout = layout;
        this.openLock = openLock;
    }

    public Path path() {
        return path;
    }

    public Region region() {
        return region;
    }

    public Layout layout() {
        return layout;
    }

    /** Opens a file that exists, or the entry of this process if it is open already. */
    public static ChannelFile open(Path path) throws IOException {
        synchronized (OPEN) {
            while (true) {
                Object key = key(path);
                ChannelFile file = OPEN.get(key);
                if (file == null) {
                    Ownership.check(path);
                    file = Undisturbed.call(() -> openFirst(key, path));
                }
                if (file != null) {
                    file.users++;
                    return file;
                }
            }
        }
    }

    /** Runs {@code action} while nobody in this process opens a file, or gives one back. */
    static <T> T whileNobodyOpens(Undisturbed.Action<T> action) throws IOException {
        synchronized (OPEN) {
            return action.run();
        }
    }

    /** Returns null if the file was replaced or removed meanwhile. */
    private static @Nullable ChannelFile openFirst(Object key, Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Region region = null;
        try {
            FileLock gate = lockGate(path, channel);
            try {
                if (!key.equals(keyOrNull(path))) {
                    channel.close();
                    return null;
                }
                if (channel.size() == 0) {
                    throw new ChannelException(path, "it is empty");
                }
                region = Region.map(path, channel, FileChannel.MapMode.READ_WRITE);
                Layout layout = Layout.read(path, region);
                FileLock openLock = channel.tryLock(Layout.OPEN_LOCK, 1, true);
                if (openLock == null) {
                    throw new ChannelException(path, "another program has locked it");
                }
                ChannelFile file = new ChannelFile(key, path, channel, region, layout, openLock);
                OPEN.put(key, file);
                return file;
            } finally {
                if (gate.isValid()) {
                    gate.release();
                }
            }
        } catch (Throwable e) {
            if (region != null) {
                region.close();
            }
            channel.close();
            throw e;
        }
    }

    /**
     * Gives one use back; the last one of the process unmaps the file. The last process removes it unless it is kept,
     * or nobody in this process has done more than look.
     *
     * @param tookPart whether this use was more than a look
     */
    public void release(boolean tookPart) throws IOException {
        synchronized (OPEN) {
            takesPart |= tookPart;
            if (--users == 0) {
                OPEN.remove(key);
                Undisturbed.call(() -> {
                    try (channel) {
                        if (takesPart && !layout.kept()) {
                            removeIfLast();
                        }
                    } finally {
                        region.close();
                    }
                    return this;
                });
            }
        }
    }

    /*
     * While this process holds the gate nobody opens the file; so the lock for itself alone means that nobody has it
     * open.
     */
    private void removeIfLast() throws IOException {
        FileLock gate = lockGate(path, channel);
        try {
            if (isLast() && key.equals(keyOrNull(path))) {
                Files.deleteIfExists(path);
            }
        } finally {
            gate.release();
        }
    }

    private boolean isLast() throws IOException {
        openLock.release();
        return channel.tryLock(Layout.OPEN_LOCK, 1, false) != null;
    }

    /** Locks the place of a party, or returns null if its owner lives. */
    public synchronized @Nullable FileLock tryLockSlot(int slot) {
        try {
            return channel.tryLock(Layout.slot(slot), 1, false);
        } catch (OverlappingFileLockException e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot ask for the kernel lock of slot " + slot + " of " + path, e);
        }
    }

    /** Returns whether somebody holds the kernel lock of a slot. */
    public boolean isSlotLocked(int slot) {
        FileLock lock = tryLockSlot(slot);
        if (lock == null) {
            return true;
        }
        release(lock);
        return false;
    }

    /** Runs {@code action} while no other process joins or leaves. */
    public <T> T atGate(Undisturbed.Action<T> action) throws IOException {
        synchronized (OPEN) {
            FileLock gate = Undisturbed.call(() -> lockGate(path, channel));
            try {
                return action.run();
            } finally {
                gate.release();
            }
        }
    }

    private static FileLock lockGate(Path path, FileChannel channel) throws IOException {
        for (int attempt = 0; attempt < GATE_ATTEMPTS; attempt++) {
            FileLock lock = channel.tryLock(Layout.GATE_LOCK, 1, false);
            if (lock != null) {
                return lock;
            }
            LockSupport.parkNanos(GATE_PAUSE_NANOS);
        }
        throw new ChannelException(
                path, "another process has been joining or leaving for 10 s, and it lives: is it stopped?");
    }

    private static Object key(Path path) throws IOException {
        Object key = keyOrNull(path);
        if (key == null) {
            throw new NoSuchFileException(path.toString(), null, "there is no such channel; create it first");
        }
        return key;
    }

    private static @Nullable Object keyOrNull(Path path) throws IOException {
        try {
            Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            return key == null ? path.toRealPath() : key;
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Releases the lock of a slot. */
    public static void release(FileLock lock) {
        try {
            lock.release();
        } catch (ClosedChannelException e) {
            // The file is closed, and so the kernel has released all locks.
        } catch (IOException e) {
            throw new UncheckedIOException("cannot release a kernel lock", e);
        }
    }
}
