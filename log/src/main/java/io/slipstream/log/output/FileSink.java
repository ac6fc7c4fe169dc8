package io.slipstream.log.output;

import io.slipstream.data.text.TextBuffer;
import io.slipstream.log.config.LogConfig;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A file that is appended to, and rolled when it is large or old. After a failure it is opened again, at most once a
 * second.
 */
final class FileSink implements LineSink {
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    private final Path file;
    private final long rollBytes;
    private final @Nullable Duration rollAge;
    private final RolledFiles rolled;
    private final Losses losses;
    private @Nullable FileChannel channel;
    private String failure = "";
    private long size;
    private long period;
    private @Nullable Object identity;
    private long failedNanos = System.nanoTime() - RETRY_NANOS;
    private long notRolledNanos = failedNanos;
    private boolean rollFailed;
    private boolean rolls = true;

    FileSink(Path file, LogConfig config, Losses losses) {
        this.losses = losses;
        this.file = file.toAbsolutePath();
        this.rollBytes = config.rollBytes();
        this.rollAge = config.rollAge();
        this.rolled = new RolledFiles(this.file, config);
    }

    @Override
    public void write(TextBuffer text) throws IOException {
        FileChannel to = open();
        try {
            if (size > 0 && (size + text.length() > rollBytes || isOld())) {
                to = roll(to);
            }
            text.writeTo(to);
            size += text.length();
        } catch (IOException e) {
            cutTo(size, to);
            fail(e);
            throw new IOException(failure, e);
        }
    }

    private FileChannel open() throws IOException {
        FileChannel open = channel;
        if (open != null) {
            return open;
        }
        if (System.nanoTime() - failedNanos < RETRY_NANOS) {
            throw new IOException(failure);
        }
        try {
            Path folder = file.getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            open = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            size = open.size();
            period = period(
                    size == 0
                            ? System.currentTimeMillis()
                            : Files.getLastModifiedTime(file).toMillis());
            identity = identity();
            requireRegular();
        } catch (IOException e) {
            failure = "cannot open " + file + ": " + e;
            failedNanos = System.nanoTime();
            throw new IOException(failure, e);
        }
        channel = open;
        return open;
    }

    /** Returns the file to go on with: the same one if it cannot be rolled, as a file too large is better than none. */
    private FileChannel roll(FileChannel full) throws IOException {
        if (!rolls || System.nanoTime() - notRolledNanos < RETRY_NANOS) {
            return full;
        }
        try {
            rolled.add();
        } catch (IOException e) {
            notRolledNanos = System.nanoTime();
            if (!rollFailed) {
                rollFailed = true;
                losses.note("cannot roll " + file + ", which grows on: " + e);
            }
            return full;
        }
        rollFailed = false;
        channel = null;
        full.close();
        return open();
    }

    /** A link or a device is somebody else's: renamed, it would end what it leads to. */
    private void requireRegular() {
        boolean isRegular = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        if (rolls && !isRegular) {
            losses.note(file + " is a link or a device, and is never rolled");
        }
        rolls = isRegular;
    }

    private boolean isOld() {
        return rollAge != null && period(System.currentTimeMillis()) != period;
    }

    /** Periods begin at whole hours and midnights of UTC, so that a start in between begins none. */
    private long period(long millis) {
        return rollAge == null ? 0 : Math.floorDiv(millis, rollAge.toMillis());
    }

    /** What the file system knows the file by; null if it is not there, or nothing is known. */
    private @Nullable Object identity() {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (IOException e) {
            return null;
        }
    }

    /** Takes half a batch away again, so that the file ends with a whole line. */
    private static void cutTo(long size, FileChannel channel) {
        try {
            channel.truncate(size);
        } catch (IOException e) {
            // The line that is cut stays; what follows begins behind it.
        }
    }

    private void fail(IOException e) {
        failure = file + ": " + (e instanceof FileSystemException ? e.toString() : e.getMessage());
        failedNanos = System.nanoTime();
        try {
            close();
        } catch (IOException again) {
            // It has failed already.
        }
    }

    @Override
    public void tick() throws IOException {
        FileChannel open = channel;
        if (open == null) {
            return;
        }
        if (identity != null && !identity.equals(identity())) {
            // Another program has moved or removed it, as logrotate does: the next write makes a new one.
            open.close();
            channel = null;
        } else if (size > 0 && isOld()) {
            roll(open);
        }
    }

    @Override
    public void close() throws IOException {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
        rolled.await();
    }
}
