package io.slipstream.service;

import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.ForwardingStorage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.nio.file.Path;

/** A folder whose device is full whenever a test says so. */
final class LimitedStorage extends ForwardingStorage {
    private volatile boolean full;

    LimitedStorage(Path path) throws IOException {
        super(FileStorage.open(path));
    }

    void full(boolean isFull) {
        full = isFull;
    }

    @Override
    public long usableBytes() throws IOException {
        return full ? 0 : super.usableBytes();
    }

    @Override
    public StorageFile create(String name) throws IOException {
        if (full) {
            throw new IOException("No space left on device");
        }
        return super.create(name);
    }
}
