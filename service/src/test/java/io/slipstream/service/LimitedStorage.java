package io.slipstream.service;

import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A folder whose device is full whenever a test says so. */
final class LimitedStorage implements Storage {
    private final Storage folder;
    private volatile boolean full;

    LimitedStorage(Path path) throws IOException {
        this.folder = FileStorage.open(path);
    }

    void full(boolean isFull) {
        full = isFull;
    }

    @Override
    public long usableBytes() throws IOException {
        return full ? 0 : folder.usableBytes();
    }

    @Override
    public StorageFile create(String name) throws IOException {
        if (full) {
            throw new IOException("No space left on device");
        }
        return folder.create(name);
    }

    @Override
    public String description() {
        return folder.description();
    }

    @Override
    public List<String> list() throws IOException {
        return folder.list();
    }

    @Override
    public Closeable lock() throws IOException {
        return folder.lock();
    }

    @Override
    public StorageFile open(String name) throws IOException {
        return folder.open(name);
    }

    @Override
    public StorageFile open(String name, WriteMode mode) throws IOException {
        return folder.open(name, mode);
    }

    @Override
    public StorageFile openForReading(String name) throws IOException {
        return folder.openForReading(name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        folder.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        folder.delete(name);
    }

    @Override
    public void syncDirectory() throws IOException {
        folder.syncDirectory();
    }

    @Override
    public void close() throws IOException {
        folder.close();
    }
}
