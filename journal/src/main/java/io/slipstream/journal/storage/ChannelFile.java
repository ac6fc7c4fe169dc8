package io.slipstream.journal.storage;

import io.slipstream.core.thread.Undisturbed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Future;

/**
 * A file behind channels, immune to interrupts.
 *
 * <p>An interrupt closes a {@link FileChannel} in the middle of its operation. Reads and writes at a position can be
 * done again, so they are, through an {@link AsynchronousFileChannel} that works in the caller's thread and ignores
 * interrupts (but makes garbage). A force cannot be done again: the failure that it may have met would be reported to
 * nobody, and a second force that succeeds proves nothing. So forcing goes that way always.
 */
final class ChannelFile implements StorageFile {
    /** The only option that is not a standard one asks for writes past the page cache, which takes whole sectors. */
    private static final int DIRECT_UNIT = 4096;

    private final Path path;
    private final Set<OpenOption> options;
    private final boolean writesAreForced;
    private final int writeUnit;
    private final AsynchronousFileChannel steady;
    private volatile FileChannel channel;
    private volatile boolean closed;

    ChannelFile(Path path, OpenOption... options) throws IOException {
        this.path = path;
        this.channel = FileChannel.open(path, options);
        this.options = Set.copyOf(Arrays.stream(options)
                .filter(o -> o != StandardOpenOption.CREATE_NEW)
                .toList());
        this.writeUnit = this.options.stream().allMatch(StandardOpenOption.class::isInstance) ? 1 : DIRECT_UNIT;
        this.writesAreForced = this.options.contains(StandardOpenOption.DSYNC);
        try {
            this.steady = AsynchronousFileChannel.open(path, this.options, new CallerRuns());
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return path.getFileName().toString();
    }

    @Override
    public long size() throws IOException {
        return steady.size();
    }

    @Override
    public int writeUnit() {
        return writeUnit;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        int start = target.position();
        boolean interrupted = Thread.interrupted();
        FileChannel current = channel;
        try {
            return current.read(target, position);
        } catch (ClosedChannelException e) {
            interrupted |= Thread.interrupted();
            reopen(current);
            target.position(start);
            return await(steady.read(target, position));
        } finally {
            restoreInterrupt(interrupted);
        }
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        int start = source.position();
        boolean interrupted = Thread.interrupted();
        FileChannel current = channel;
        try {
            return current.write(source, position);
        } catch (ClosedChannelException e) {
            interrupted |= Thread.interrupted();
            reopen(current);
            source.position(start);
            return await(steady.write(source, position));
        } finally {
            restoreInterrupt(interrupted);
        }
    }

    @Override
    public void force() throws IOException {
        if (!writesAreForced) {
            steady.force(false);
        }
    }

    /** Maps in a thread that nobody can interrupt, because nobody knows it. */
    @Override
    public MemorySegment map(long bytes, Arena arena) throws IOException {
        return Undisturbed.call(() -> {
            try (FileChannel mapped = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return mapped.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
            }
        });
    }

    @Override
    public void truncate(long size) throws IOException {
        steady.truncate(size);
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        try {
            channel.close();
        } finally {
            steady.close();
        }
    }

    /** Replaces the channel that an interrupt, of this thread or of another reader, has closed. */
    private synchronized void reopen(FileChannel broken) throws IOException {
        if (closed) {
            throw new IOException(path + " is closed");
        }
        if (channel == broken) {
            channel = FileChannel.open(path, options);
        }
    }

    /** Returns the result of an operation that was done in this thread, so that there is nothing to wait for. */
    private static int await(Future<Integer> done) throws IOException {
        return switch (done.state()) {
            case SUCCESS -> done.resultNow();
            case FAILED -> {
                Throwable failure = done.exceptionNow();
                throw failure instanceof IOException known ? known : new IOException(failure);
            }
            case RUNNING, CANCELLED -> throw new IOException("the operation was not done in the thread of its caller");
        };
    }

    private static void restoreInterrupt(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
