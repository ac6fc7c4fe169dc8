package io.slipstream.journal.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;

/**
 * A file behind channels, immune to interrupts.
 *
 * <p>An interrupt closes a {@link FileChannel} in the middle of its operation. Reads and writes at a position can be done
 * again, so they are, on a channel opened anew. A force cannot: the failure that it may have met would be reported to
 * nobody, and a second force that succeeds proves nothing. So forcing goes through an {@link AsynchronousFileChannel},
 * whose force works in the caller's thread and ignores interrupts.
 */
final class ChannelFile implements StorageFile {
    private final Path path;
    private final Set<OpenOption> reopenOptions;
    private final AsynchronousFileChannel forceChannel;
    private final boolean writesAreForced;
    private volatile FileChannel channel;
    private volatile boolean closed;

    ChannelFile(Path path, OpenOption... options) throws IOException {
        this.path = path;
        this.channel = FileChannel.open(path, options);
        this.writesAreForced = Arrays.asList(options).contains(StandardOpenOption.DSYNC);
        this.reopenOptions = withoutCreation(options);
        try {
            this.forceChannel = AsynchronousFileChannel.open(path, forceOption(reopenOptions));
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
        return forceChannel.size();
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        int start = target.position();
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                FileChannel current = channel;
                try {
                    return current.read(target, position);
                } catch (ClosedByInterruptException e) {
                    interrupted = true;
                    reopen(current);
                } catch (ClosedChannelException e) {
                    reopen(current);
                }
                target.position(start);
            }
        } finally {
            restoreInterrupt(interrupted);
        }
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        int start = source.position();
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                FileChannel current = channel;
                try {
                    return current.write(source, position);
                } catch (ClosedByInterruptException e) {
                    interrupted = true;
                    reopen(current);
                } catch (ClosedChannelException e) {
                    reopen(current);
                }
                source.position(start);
            }
        } finally {
            restoreInterrupt(interrupted);
        }
    }

    @Override
    public void force() throws IOException {
        if (!writesAreForced) {
            forceChannel.force(false);
        }
    }

    @Override
    public MemorySegment map(long bytes, Arena arena) throws IOException {
        return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
    }

    @Override
    public void truncate(long size) throws IOException {
        forceChannel.truncate(size);
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        try {
            channel.close();
        } finally {
            forceChannel.close();
        }
    }

    /** Replaces the channel that an interrupt, of this thread or of another reader, has closed. */
    private synchronized void reopen(FileChannel broken) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            if (closed) {
                throw new IOException(path + " is closed");
            }
            if (channel == broken) {
                channel = FileChannel.open(path, reopenOptions);
            }
        } finally {
            restoreInterrupt(interrupted);
        }
    }

    private static void restoreInterrupt(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Set<OpenOption> withoutCreation(OpenOption[] options) {
        return Set.copyOf(Arrays.stream(options).filter(o -> o != StandardOpenOption.CREATE_NEW).toList());
    }

    private static StandardOpenOption forceOption(Set<OpenOption> options) {
        return options.contains(StandardOpenOption.WRITE) ? StandardOpenOption.WRITE : StandardOpenOption.READ;
    }
}
