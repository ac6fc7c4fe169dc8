package io.slipstream.journal.segment;

import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The part of a file that a reader has in memory; it moves forward as the reader does. For one thread.
 *
 * <p>It reads little after it was cleared, for who follows a file that grows, and then twice as much each time, for who
 * reads all of it.
 */
public final class Window {
    private static final int BLOCK = JournalConfig.BLOCK_BYTES;
    private static final int FIRST_READ_BYTES = 1 << 16;

    private ByteBuffer buffer;
    private ByteBuffer words;
    private MemorySegment memory;
    private long start;
    private int filled;
    private int ahead = FIRST_READ_BYTES;

    /** Creates a window of {@code capacity} bytes; it grows when a frame is larger. */
    public Window(int capacity) {
        buffer = allocate(capacity);
        words = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        memory = MemorySegment.ofBuffer(buffer);
    }

    /** Returns the memory; positions in it are those of {@link #at}. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns the same memory as a buffer. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Returns where in the memory the byte at {@code position} of the file is. */
    public int at(long position) {
        return (int) (position - start);
    }

    /** Returns the int at {@code position}, which is in the window. */
    int getInt(long position) {
        return words.getInt(at(position));
    }

    /** Returns the long at {@code position}, which is in the window. */
    long getLong(long position) {
        return words.getLong(at(position));
    }

    /** Returns how many bytes of the memory hold something of the file. */
    int filled() {
        return filled;
    }

    /** Forgets what was read: the file is another one, or has changed. */
    public void clear() {
        start = 0;
        filled = 0;
        ahead = FIRST_READ_BYTES;
    }

    /** Returns whether {@code bytes} from {@code position} on are in the window, after reading them if need be. */
    public boolean load(StorageFile file, long position, int bytes) throws IOException {
        return holds(position, bytes) || read(file, position, bytes) >= bytes;
    }

    /**
     * Returns how many bytes from {@code position} on are in the window, after reading as many as usual if there are
     * none.
     */
    int available(StorageFile file, long position) throws IOException {
        return holds(position, 1) ? (int) (start + filled - position) : read(file, position, 1);
    }

    /** Returns the most bytes that it holds without growing. */
    int capacity() {
        return buffer.capacity();
    }

    /** Returns whether {@code bytes} from {@code position} on are in the window. */
    boolean holds(long position, int bytes) {
        return position >= start && position + bytes <= start + filled;
    }

    /** Reads {@code bytes} or more from {@code position} on; returns how many bytes there are. */
    public int read(StorageFile file, long position, int bytes) throws IOException {
        if (bytes > buffer.capacity()) {
            buffer = allocate(bytes);
            words = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
            memory = MemorySegment.ofBuffer(buffer);
        }
        start = position;
        filled = 0;
        buffer.clear().limit(Math.min(buffer.capacity(), Math.max(ahead, bytes)));
        ahead = Math.min(2 * ahead, buffer.capacity());
        file.readFully(buffer, position);
        filled = buffer.position();
        return filled;
    }

    /** Reads from {@code position} on as much as fits. */
    void readAll(StorageFile file, long position) throws IOException {
        read(file, position, buffer.capacity());
    }

    private static ByteBuffer allocate(int capacity) {
        return ByteBuffer.allocateDirect(Math.addExact(capacity, 2 * BLOCK) & -BLOCK)
                .alignedSlice(BLOCK)
                .order(ByteOrder.LITTLE_ENDIAN);
    }
}
