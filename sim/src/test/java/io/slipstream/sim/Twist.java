package io.slipstream.sim;

import io.slipstream.journal.storage.ForwardingStorage;
import io.slipstream.journal.storage.ForwardingStorageFile;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Hands everything on to another storage, but for what a test overrides. */
class Twist extends ForwardingStorage {
    Twist(Storage storage) {
        super(storage);
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
    protected final StorageFile wrap(StorageFile file) {
        return new TwistedFile(this, file);
    }

    private static final class TwistedFile extends ForwardingStorageFile {
        private final Twist twist;
        private final StorageFile file;

        TwistedFile(Twist twist, StorageFile file) {
            super(file);
            this.twist = twist;
            this.file = file;
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

        /** One and the same thing on a simulated disk. */
        @Override
        public void forceMapped(MemorySegment mapping) throws IOException {
            force();
        }
    }
}
