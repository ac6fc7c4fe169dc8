package io.slipstream.core.memory;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * A piece of native or mapped memory, addressed by {@code long} offsets, little-endian.
 *
 * <p>Any thread may read and write; what others see, and when, is decided by the access: the plain ones promise
 * nothing, {@code Release} pairs with {@code Acquire}. Offsets of ordered accesses must be multiples of the width. An
 * access outside the region, or after {@link #close}, throws; it never touches foreign memory.
 *
 * <p>An interrupt of the thread that makes a region neither ends that nor gets lost.
 *
 * <p>Closing a region makes all threads of the JVM meet, so it belongs at the end of a component's life and not on any
 * hot path.
 */
public final class Region implements AutoCloseable {
    /** Alignment in bytes of the first byte of every region. */
    public static final int ALIGNMENT = 4096;

    private static final int FILL_BYTES = 1 << 20;
    /** More than any process can address. */
    private static final long ADDRESSABLE_BYTES = 1L << 56;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG_AT = LONG.varHandle().withInvokeExactBehavior();
    private static final VarHandle INT_AT = INT.varHandle().withInvokeExactBehavior();

    private final Arena arena;
    private final MemorySegment segment;

    private Region(Arena arena, MemorySegment segment) {
        this.arena = arena;
        this.segment = segment;
    }

    /**
     * Allocates native memory, filled with zeros and backed by real pages.
     *
     * @throws IllegalArgumentException if {@code bytes} is not positive
     * @throws OutOfMemoryError         if the system has no such memory; it says how much was asked for
     */
    public static Region allocate(long bytes) {
        requirePositive(bytes);
        if (bytes > ADDRESSABLE_BYTES) {
            throw noMemory(bytes, new OutOfMemoryError("more than can be addressed"));
        }
        Arena arena = Arena.ofShared();
        try {
            MemorySegment zeros = arena.allocate(bytes, ALIGNMENT);
            // The arena promises zeros, but not that pages stand behind them.
            for (long at = 0; at < bytes; at += ALIGNMENT) {
                zeros.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
            }
            return new Region(arena, zeros);
        } catch (OutOfMemoryError e) {
            arena.close();
            throw noMemory(bytes, e);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    /**
     * Creates {@code file}, which must not exist, writes {@code bytes} zeros to it and maps it. Nothing is written if
     * the disk has no such room at the beginning.
     *
     * @throws IOException if the file exists, cannot be written, or the disk has no room: then it says which file and
     *                     how many bytes. Whatever is thrown, a file that was made is removed again
     */
    public static Region create(Path file, long bytes) throws IOException {
        requirePositive(bytes);
        return undisturbed(() -> {
            try (FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                try {
                    fillWithZeros(file, channel, bytes);
                    return mapped(file, channel, FileChannel.MapMode.READ_WRITE);
                } catch (Throwable e) {
                    removeAfter(e, file);
                    throw e;
                }
            }
        });
    }

    /**
     * Maps the whole of an existing file for reading and writing.
     *
     * <p>Only {@link #create} makes sure that the disk has room for all of the file. A write to a hole of a file with
     * holes takes room then; where the disk has none, the system ends the write by a signal, which the JVM turns into
     * an {@link InternalError}, at that access or somewhat later.
     *
     * @throws IOException if there is no such file, it is a directory or empty, or it cannot be opened for writing
     */
    public static Region open(Path file) throws IOException {
        requireNoDirectory(file);
        return undisturbed(() -> {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return mapped(file, channel, FileChannel.MapMode.READ_WRITE);
            }
        });
    }

    /**
     * Maps the whole of an existing file for reading only; a write to it throws.
     *
     * @throws IOException if there is no such file, it is a directory or empty, or it cannot be opened
     */
    public static Region openReadOnly(Path file) throws IOException {
        requireNoDirectory(file);
        return undisturbed(() -> {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                return mapped(file, channel, FileChannel.MapMode.READ_ONLY);
            }
        });
    }

    /**
     * Maps the whole of an open file, and leaves the channel open: for owners of kernel locks, which a process loses
     * when it closes any channel of the file. It is done in a thread of its own, so that no interrupt of the caller
     * closes the channel.
     *
     * @param file for messages
     * @throws IOException if the file is empty, or the channel does not allow the mode
     */
    public static Region map(Path file, FileChannel channel, FileChannel.MapMode mode) throws IOException {
        return inAThreadThatNobodyKnows(() -> mapped(file, channel, mode));
    }

    private static Region mapped(Path file, FileChannel channel, FileChannel.MapMode mode) throws IOException {
        long bytes = channel.size();
        if (bytes == 0) {
            throw new IOException(file + " is empty; there is nothing to map");
        }
        Arena arena = Arena.ofShared();
        try {
            return new Region(arena, channel.map(mode, 0, bytes, arena));
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    /** Returns the memory itself, for flyweights and bulk copies. */
    public MemorySegment segment() {
        return segment;
    }

    /** Returns the size in bytes. */
    public long byteSize() {
        return segment.byteSize();
    }

    /** Reads a long without ordering. */
    public long getLong(long offset) {
        return (long) LONG_AT.get(segment, offset);
    }

    /** Writes a long without ordering. */
    public void putLong(long offset, long value) {
        LONG_AT.set(segment, offset, value);
    }

    /** Reads a long with acquire order. */
    public long getLongAcquire(long offset) {
        return (long) LONG_AT.getAcquire(segment, offset);
    }

    /** Reads a long atomically, without ordering. */
    public long getLongOpaque(long offset) {
        return (long) LONG_AT.getOpaque(segment, offset);
    }

    /** Writes a long atomically, without ordering. */
    public void putLongOpaque(long offset, long value) {
        LONG_AT.setOpaque(segment, offset, value);
    }

    /** Reads a long with the order of a volatile. */
    public long getLongVolatile(long offset) {
        return (long) LONG_AT.getVolatile(segment, offset);
    }

    /** Writes a long with the order of a volatile. */
    public void putLongVolatile(long offset, long value) {
        LONG_AT.setVolatile(segment, offset, value);
    }

    /** Adds {@code delta} to the long and returns its former value; the order is that of a volatile. */
    public long getAndAddLong(long offset, long delta) {
        return (long) LONG_AT.getAndAdd(segment, offset, delta);
    }

    /** Writes a long with release order. */
    public void putLongRelease(long offset, long value) {
        LONG_AT.setRelease(segment, offset, value);
    }

    /** Sets the long to {@code newValue} if it is {@code expected}, with the order of a volatile. */
    public boolean compareAndSetLong(long offset, long expected, long newValue) {
        return LONG_AT.compareAndSet(segment, offset, expected, newValue);
    }

    /** Reads an int without ordering. */
    public int getInt(long offset) {
        return (int) INT_AT.get(segment, offset);
    }

    /** Writes an int without ordering. */
    public void putInt(long offset, int value) {
        INT_AT.set(segment, offset, value);
    }

    /** Reads an int with acquire order. */
    public int getIntAcquire(long offset) {
        return (int) INT_AT.getAcquire(segment, offset);
    }

    /** Writes an int with release order. */
    public void putIntRelease(long offset, int value) {
        INT_AT.setRelease(segment, offset, value);
    }

    /** Gives the memory back; any later access throws {@link IllegalStateException}. Closing again does nothing. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    /** What makes a region of a file that it opens, and closes again. */
    private interface Making {
        Region make() throws IOException;
    }

    /** An interrupt closes the channel that a thread is using: what was begun is done again, and the interrupt kept. */
    private static Region undisturbed(Making making) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            return making.make();
        } catch (ClosedByInterruptException e) {
            return inAThreadThatNobodyKnows(making);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whoever interrupts the caller may do so again and again; the thread that waits is interrupted in the end. */
    private static Region inAThreadThatNobodyKnows(Making making) throws IOException {
        FutureTask<Region> task = new FutureTask<>(making::make);
        Thread thread = Thread.ofPlatform().name("region").start(task);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (task.state() == Future.State.SUCCESS) {
            return task.resultNow();
        }
        switch (task.exceptionNow()) {
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IOException(e);
        }
    }

    /** Others need the disk as well, which would be full until the last byte was refused. */
    private static void requireRoom(Path file, long bytes) throws IOException {
        File disk = file.toFile();
        long free = disk.getFreeSpace();
        if (free < bytes && disk.getTotalSpace() > 0) {
            throw new IOException("cannot create " + file + " of " + bytes + " bytes: the disk has " + free
                    + " bytes free; make room, or choose another place or a smaller size");
        }
    }

    private static void fillWithZeros(Path file, FileChannel channel, long bytes) throws IOException {
        requireRoom(file, bytes);
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(bytes, FILL_BYTES));
        long position = 0;
        try {
            while (position < bytes) {
                zeros.position(0).limit((int) Math.min(zeros.capacity(), bytes - position));
                position += channel.write(zeros, position);
            }
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(
                    "cannot create " + file + " of " + bytes + " bytes: after " + position + " of them: "
                            + e.getMessage()
                            + "; make room, or choose another place or a smaller size",
                    e);
        }
    }

    private static void requireNoDirectory(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException(file + " is a directory; a region is mapped from a file");
        }
    }

    private static OutOfMemoryError noMemory(long bytes, OutOfMemoryError cause) {
        OutOfMemoryError error =
                new OutOfMemoryError("the system has no " + bytes + " bytes of native memory for a region");
        error.initCause(cause);
        return error;
    }

    private static void removeAfter(Throwable cause, Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            cause.addSuppressed(new UncheckedIOException("cannot remove " + file, e));
        }
    }

    private static void requirePositive(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a region needs at least one byte, not " + bytes);
        }
    }
}
