package io.slipstream.journal.storage;

import io.slipstream.journal.config.WriteMode;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands every operation on to another storage. Who watches, limits or disturbs a device extends it, and overrides what
 * differs; {@link #wrap} sees every file.
 *
 * <p>{@link #createAnew} is not handed on: it goes through {@link #delete} and {@link #create} of this storage, so that
 * an override of these sees it.
 */
public abstract class ForwardingStorage implements Storage {
    private final Storage storage;

    /** Makes a storage that hands on to {@code storage}, and closes it when it is closed. */
    protected ForwardingStorage(Storage storage) {
        this.storage = storage;
    }

    /** Returns what callers get for a file that was just created or opened: the file itself, unless overridden. */
    protected StorageFile wrap(StorageFile file) throws IOException {
        return file;
    }

    @Override
    public String description() {
        return storage.description();
    }

    @Override
    public List<String> list() throws IOException {
        return storage.list();
    }

    @Override
    public Closeable lock() throws IOException {
        return storage.lock();
    }

    @Override
    public void requireLock() throws IOException {
        storage.requireLock();
    }

    @Override
    public StorageFile create(String name) throws IOException {
        return wrap(storage.create(name));
    }

    @Override
    public StorageFile open(String name) throws IOException {
        return wrap(storage.open(name));
    }

    @Override
    public StorageFile open(String name, WriteMode mode) throws IOException {
        return wrap(storage.open(name, mode));
    }

    @Override
    public StorageFile openForReading(String name) throws IOException {
        return wrap(storage.openForReading(name));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        storage.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        storage.delete(name);
    }

    @Override
    public void syncDirectory() throws IOException {
        storage.syncDirectory();
    }

    @Override
    public long usableBytes() throws IOException {
        return storage.usableBytes();
    }

    @Override
    public @Nullable BackgroundTasks backgroundTasks(String name) {
        return storage.backgroundTasks(name);
    }

    @Override
    public void close() throws IOException {
        storage.close();
    }
}
