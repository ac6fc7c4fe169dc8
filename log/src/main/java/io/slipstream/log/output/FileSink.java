package io.slipstream.log.output;

import io.slipstream.data.text.TextBuffer;
import io.slipstream.log.config.LogConfig;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
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
    private @Nullable FileChannel channel;
    private String failure = "";
    private long size;
    private long period;
    private @Nullable Object identity;
    private long failedNanos = System.nanoTime() - RETRY_NANOS;

    FileSink(Path file, LogConfig config) {
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
        } catch (IOException e) {
            failure = "cannot open " + file + ": " + e;
            failedNanos = System.nanoTime();
            throw e;
        }
        channel = open;
        return open;
    }

    private FileChannel roll(FileChannel full) throws IOException {
        full.close();
        channel = null;
        rolled.add();
        return open();
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
        failure = file + ": " + e.getMessage();
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
