package io.slipstream.sim;

import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.storage.BackgroundTasks;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands everything on to another storage, but for what a test overrides. */
class Twist implements Storage {
    private final Storage storage;

    Twist(Storage storage) {
        this.storage = storage;
    }

    void force(StorageFile file) throws IOException {
        file.force();
    }

    int read(StorageFile file, ByteBuffer target, long position) throws IOException {
        return file.read(target, position);
    }

    int write(StorageFile file, ByteBuffer source, long position) throws IOException {
        return file.write(source, position);
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
        return new TwistedFile(this, storage.create(name));
    }

    @Override
    public StorageFile open(String name) throws IOException {
        return new TwistedFile(this, storage.open(name));
    }

    @Override
    public StorageFile open(String name, WriteMode mode) throws IOException {
        return new TwistedFile(this, storage.open(name, mode));
    }

    @Override
    public StorageFile openForReading(String name) throws IOException {
        return new TwistedFile(this, storage.openForReading(name));
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
    public @Nullable BackgroundTasks backgroundTasks(String name) {
        return storage.backgroundTasks(name);
    }

    @Override
    public long usableBytes() throws IOException {
        return storage.usableBytes();
    }

    @Override
    public void close() throws IOException {
        storage.close();
    }

    private record TwistedFile(Twist twist, StorageFile file) implements StorageFile {
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
            return twist.read(file, target, position);
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            return twist.write(file, source, position);
        }

        @Override
        public void force() throws IOException {
            twist.force(file);
        }

        @Override
        public MemorySegment map(long bytes, Arena arena) throws IOException {
            return file.map(bytes, arena);
        }

        /** One and the same thing on a simulated disk. */
        @Override
        public void forceMapped(MemorySegment mapping) throws IOException {
            force();
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
}
