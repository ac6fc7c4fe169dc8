package io.slipstream.sim;

import io.slipstream.core.ring.Frame;
import io.slipstream.journal.Record;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import io.slipstream.sim.journal.BrokenPromise;
import io.slipstream.sim.journal.JournalSimulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;

import static org.assertj.core.api.Assertions.assertThat;

/** The simulation is worth something only if it catches a journal that does not keep its promises. */
@Timeout(120)
class BrokenTwinTest {
    private static final int RUNS = 600;

    @Test
    void catchesAJournalThatSkipsTheForce() {
        assertThat(brokenPromises(storage -> new Twist(storage) {
            @Override
            void force(StorageFile file) {
            }
        }, false)).isPositive();
    }

    @Test
    void catchesAJournalThatForgetsToSyncTheFolder() {
        assertThat(brokenPromises(storage -> new Twist(storage) {
            @Override
            public void syncDirectory() {
            }
        }, false)).isPositive();
    }

    @Test
    void catchesAJournalThatAcknowledgesEarly() {
        assertThat(brokenPromises(storage -> storage, true)).isPositive();
    }

    @Test
    void catchesAJournalThatDoesNotHeedAFailedForce() {
        assertThat(brokenPromises(storage -> new Twist(storage) {
            @Override
            void force(StorageFile file) throws IOException {
                try {
                    file.force();
                } catch (IOException e) {
                    file.force();
                }
            }
        }, false)).isPositive();
    }

    @Test
    void catchesAJournalThatTakesAShortWriteForAWholeOne() {
        assertThat(brokenPromises(storage -> new Twist(storage) {
            @Override
            int write(StorageFile file, ByteBuffer source, long position) throws IOException {
                int all = source.remaining();
                file.write(source, position);
                source.position(source.limit());
                return all;
            }
        }, false)).isPositive();
    }

    @Test
    void catchesAJournalThatIgnoresAChecksum() {
        assertThat(brokenPromises(storage -> new Twist(storage) {
            @Override
            int read(StorageFile file, ByteBuffer target, long position) throws IOException {
                int start = target.position();
                int count = file.read(target, position);
                for (int at = start + (int) (-position & Frame.ALIGNMENT - 1);
                        at + Record.HEADER_BYTES <= target.position(); at += Frame.ALIGNMENT) {
                    makeChecksumRight(target, at);
                }
                return count;
            }
        }, false)).isPositive();
    }

    private static void makeChecksumRight(ByteBuffer buffer, int at) {
        ByteBuffer copy = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int length = copy.getInt(at);
        if (length >= Record.HEADER_BYTES && Frame.align(length) <= buffer.position() - at
                && copy.getShort(at + Record.TYPE_OFFSET) == 1 && copy.get(at + Record.VERSION_OFFSET) == 1) {
            CRC32C crc = new CRC32C();
            crc.update(copy.duplicate().limit(at + Frame.align(length)).position(at + Record.TYPE_OFFSET));
            copy.putInt(at + Frame.TAG_OFFSET, (int) crc.getValue() ^ length * 0x9E3779B9);
        }
    }

    private static int brokenPromises(UnaryOperator<Storage> twist, boolean acknowledgeEarly) {
        int broken = 0;
        for (long seed = 1; seed <= RUNS && broken < 3; seed++) {
            try {
                new JournalSimulation(seed, twist, acknowledgeEarly).run();
            } catch (BrokenPromise e) {
                broken++;
            }
        }
        return broken;
    }

    /** Hands everything on to another storage, but for what a test overrides. */
    private static class Twist implements Storage {
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
        public long usableBytes() throws IOException {
            return storage.usableBytes();
        }

        @Override
        public void close() throws IOException {
            storage.close();
        }
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
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
