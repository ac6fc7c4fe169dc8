package io.slipstream.journal.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Hands every operation on to another file; see {@link ForwardingStorage}.
 *
 * <p>{@link #readFully} and {@link #writeFully} are not handed on: they go through {@link #read} and {@link #write} of
 * this file, so that an override of these sees every byte.
 */
public abstract class ForwardingStorageFile implements StorageFile {
    private final StorageFile file;

    /** Makes a file that hands on to {@code file}, and closes it when it is closed. */
    protected ForwardingStorageFile(StorageFile file) {
        this.file = file;
    }

    @Override
    public String name() {
        return file.name();
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return file.read(target, position);
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        return file.write(source, position);
    }

    @Override
    public int writeUnit() {
        return file.writeUnit();
    }

    @Override
    public void force() throws IOException {
        file.force();
    }

    @Override
    public MemorySegment map(long bytes, Arena arena) throws IOException {
        return file.map(bytes, arena);
    }

    @Override
    public void forceMapped(MemorySegment mapping) throws IOException {
        file.forceMapped(mapping);
    }

    @Override
    public void truncate(long size) throws IOException {
        file.truncate(size);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
