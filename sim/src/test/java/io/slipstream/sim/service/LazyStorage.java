package io.slipstream.sim.service;

import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.storage.BackgroundTasks;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says that something is forced, and does not force it. */
final class LazyStorage implements Storage {
    private final Storage storage;

    LazyStorage(Storage storage) {
        this.storage = storage;
    }

    private static StorageFile lazy(StorageFile file) {
        return (StorageFile) Proxy.newProxyInstance(
                StorageFile.class.getClassLoader(), new Class<?>[] {StorageFile.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("force")) {
                        return null;
                    }
                    try {
                        return method.invoke(file, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
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
    public StorageFile create(String name) throws IOException {
        return lazy(storage.create(name));
    }

    @Override
    public StorageFile open(String name) throws IOException {
        return lazy(storage.open(name));
    }

    @Override
    public StorageFile open(String name, WriteMode mode) throws IOException {
        return lazy(storage.open(name, mode));
    }

    @Override
    public StorageFile openForReading(String name) throws IOException {
        return storage.openForReading(name);
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
