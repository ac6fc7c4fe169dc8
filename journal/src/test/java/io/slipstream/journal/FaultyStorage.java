package io.slipstream.journal;

import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.storage.ForwardingStorage;
import io.slipstream.journal.storage.ForwardingStorageFile;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A folder whose operations fail, or wait, as a test tells them to; it knows what was forced and what is open. Any
 * thread.
 */
final class FaultyStorage extends ForwardingStorage {
    /** Names of the files whose force has succeeded. */
    final Set<String> forced = ConcurrentHashMap.newKeySet();

    /** Files that are open. */
    final Set<StorageFile> open = ConcurrentHashMap.newKeySet();

    private final ConcurrentLinkedQueue<Fault> faults = new ConcurrentLinkedQueue<>();
    private boolean skipsForce;

    /** What is done to a storage. */
    enum Operation {
        CREATE,
        OPEN,
        WRITE,
        FORCE,
        MAP,
        DELETE,
        RENAME,
        SYNC_DIRECTORY
    }

    /** Happens before an operation. */
    interface Fault {
        /** Throws, or waits, or returns; {@code name} is that of the file, or empty for the folder. */
        void before(Operation operation, String name) throws IOException;
    }

    FaultyStorage(Storage storage) {
        super(storage);
    }

    void add(Fault fault) {
        faults.add(fault);
    }

    /** Lets the next operation of this kind on a file whose name begins so fail, and no other. */
    void failOnce(Operation operation, String prefix, String message) {
        faults.add(new Fault() {
            @Override
            public void before(Operation now, String name) throws IOException {
                if (now == operation && name.startsWith(prefix) && faults.remove(this)) {
                    throw new IOException(message);
                }
            }
        });
    }

    /** From now on, what is asked to be forced is not, and whoever asks is told that it was. */
    FaultyStorage withoutForce() {
        skipsForce = true;
        return this;
    }

    private void before(Operation operation, String name) throws IOException {
        for (Fault fault : faults) {
            fault.before(operation, name);
        }
    }

    @Override
    protected StorageFile wrap(StorageFile file) {
        return new File(file);
    }

    @Override
    public StorageFile create(String name) throws IOException {
        before(Operation.CREATE, name);
        return super.create(name);
    }

    @Override
    public StorageFile open(String name) throws IOException {
        before(Operation.OPEN, name);
        return super.open(name);
    }

    @Override
    public StorageFile open(String name, WriteMode mode) throws IOException {
        if (skipsForce) {
            return open(name);
        }
        before(Operation.OPEN, name);
        return super.open(name, mode);
    }

    @Override
    public StorageFile openForReading(String name) throws IOException {
        before(Operation.OPEN, name);
        return super.openForReading(name);
    }

    @Override
    public void delete(String name) throws IOException {
        before(Operation.DELETE, name);
        super.delete(name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        before(Operation.RENAME, from);
        super.rename(from, to);
    }

    @Override
    public void syncDirectory() throws IOException {
        before(Operation.SYNC_DIRECTORY, "");
        super.syncDirectory();
    }

    private final class File extends ForwardingStorageFile {
        File(StorageFile file) {
            super(file);
            open.add(this);
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            before(Operation.WRITE, name());
            return super.write(source, position);
        }

        @Override
        public void force() throws IOException {
            before(Operation.FORCE, name());
            if (!skipsForce) {
                super.force();
            }
            forced.add(name());
        }

        @Override
        public MemorySegment map(long bytes, Arena arena) throws IOException {
            before(Operation.MAP, name());
            return super.map(bytes, arena);
        }

        @Override
        public void forceMapped(MemorySegment mapping) throws IOException {
            before(Operation.FORCE, name());
            if (!skipsForce) {
                super.forceMapped(mapping);
            }
            forced.add(name());
        }

        @Override
        public void close() throws IOException {
            open.remove(this);
            super.close();
        }
    }
}
