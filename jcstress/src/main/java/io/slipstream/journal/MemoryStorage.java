package io.slipstream.journal;

import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A folder in memory whose bytes are stored and loaded plainly, as those of a mapping are: the journal alone has to
 * give the order in which a reader sees them. Broken, it keeps what is written back until {@link #settle}.
 */
final class MemoryStorage implements Storage {
    private final Map<String, MemoryFile> files = new ConcurrentHashMap<>();
    private final List<Runnable> heldBack = new ArrayList<>();
    private boolean holdsBack;

    /** From now on keeps what is written back. */
    void holdBack() {
        holdsBack = true;
    }

    /** Stores what was kept back. */
    void settle() {
        heldBack.forEach(Runnable::run);
        heldBack.clear();
    }

    @Override
    public String description() {
        return "memory";
    }

    @Override
    public List<String> list() {
        return List.copyOf(files.keySet());
    }

    @Override
    public Closeable lock() {
        return () -> {};
    }

    @Override
    public StorageFile create(String name) {
        MemoryFile file = new MemoryFile();
        files.put(name, file);
        return file;
    }

    @Override
    public StorageFile open(String name) {
        return files.get(name);
    }

    @Override
    public StorageFile openForReading(String name) {
        return files.get(name);
    }

    @Override
    public void rename(String from, String to) {
        files.put(to, files.remove(from));
    }

    @Override
    public void delete(String name) {
        files.remove(name);
    }

    @Override
    public void syncDirectory() {
        // Nothing is ever lost.
    }

    @Override
    public long usableBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public void close() {
        // Nothing to give back.
    }

    private final class MemoryFile implements StorageFile {
        private final byte[] bytes = new byte[16 << 10];

        @Override
        public String name() {
            return "file";
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            int count = Math.min(target.remaining(), bytes.length - (int) position);
            target.put(bytes, (int) position, Math.max(0, count));
            return count > 0 ? count : -1;
        }

        @Override
        public int write(ByteBuffer source, long position) {
            int count = source.remaining();
            if (holdsBack) {
                byte[] copy = new byte[count];
                source.get(copy);
                heldBack.add(() -> System.arraycopy(copy, 0, bytes, (int) position, count));
            } else {
                source.get(bytes, (int) position, count);
            }
            return count;
        }

        @Override
        public void force() {
            // Nothing is ever lost.
        }

        @Override
        public void truncate(long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            // Stays as it is.
        }
    }
}
