package io.slipstream.journal.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A file of a {@link Storage}. One thread writes; any thread may read.
 *
 * <p>An interrupt of the calling thread neither fails an operation nor closes the file; it stays pending.
 */
public interface StorageFile extends AutoCloseable {
    /** Returns the name that the file was opened with. */
    String name();

    /** Returns the size in bytes. */
    long size() throws IOException;

    /** Reads into the room of {@code target} from {@code position} on; returns how many bytes, -1 at the end. */
    int read(ByteBuffer target, long position) throws IOException;

    /**
     * Reads from {@code position} on until {@code target} is full or the file ends, however many single reads that
     * takes.
     */
    default void readFully(ByteBuffer target, long position) throws IOException {
        int start = target.position();
        int count = 0;
        while (target.hasRemaining() && count >= 0) {
            count = read(target, position + target.position() - start);
        }
    }

    /**
     * Writes some of what remains in {@code source}, at least one byte, at {@code position}; returns how many bytes.
     */
    int write(ByteBuffer source, long position) throws IOException;

    /** Returns what positions and lengths of writes must be multiples of; 1 for most files. */
    default int writeUnit() {
        return 1;
    }

    /**
     * Writes all that remains in {@code source} at {@code position}, however many single writes that takes. After a
     * write that has ended within a unit, that unit is written once more.
     */
    default void writeFully(ByteBuffer source, long position) throws IOException {
        long at = position;
        while (source.hasRemaining()) {
            int offered = source.remaining();
            int written = write(source, at);
            int whole = written == offered ? written : written - written % writeUnit();
            if (whole <= 0) {
                throw new IOException("the device took " + written + " of " + offered + " bytes at " + at);
            }
            source.position(source.position() - (written - whole));
            at += whole;
        }
    }

    /** Makes what was written durable; the file's size, too, if it has changed. */
    void force() throws IOException;

    /**
     * Maps the first {@code bytes} for reading and writing.
     *
     * @throws IOException if that fails, or this storage cannot map
     */
    default MemorySegment map(long bytes, Arena arena) throws IOException {
        throw new IOException(name() + " cannot be mapped; use another write mode");
    }

    /** Makes durable what was written to a mapping. */
    default void forceMapped(MemorySegment mapping) throws IOException {
        try {
            mapping.force();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Makes the file shorter. */
    void truncate(long size) throws IOException;

    /** Closes the file; closing again does nothing. */
    @Override
    void close() throws IOException;
}
