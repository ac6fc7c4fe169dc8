package io.slipstream.journal.segment;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The owner of a journal takes segments while another thread prepares them: whatever the schedule, it gets each once
 * and in order, waits for ever for none, and leaves none open.
 */
class SegmentSupplyModelTest {
    private static final int SCHEDULES = 100 * Integer.getInteger("slipstream.model.iterations", 1);

    /* It ends with the first that is wrong; which one that is changes with each line of the supply. */
    private static final int SCHEDULES_OF_TWIN = 50 * SCHEDULES;

    /** Seen by both threads: what only a lambda captures, the checker takes for one thread's own. */
    private static @Nullable Scene scene;

    /** So that the checker need not follow what the JDK initializes on first use. */
    @BeforeAll
    static void playOnceWithoutTheChecker() {
        play(1);
    }

    @Test
    void segmentsComeOnceAndInOrderAndNoneIsLeftOpen() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> play(1));
    }

    @Test
    void theCheckerFindsASupplyWhosePreparationRunsTwice() {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> Lincheck.runConcurrentTest(SCHEDULES_OF_TWIN, () -> play(2)));
    }

    private static void play(int preparations) {
        Scene played = new Scene(preparations);
        scene = played;
        try {
            played.takeThree();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A supply, its storage, and its executor, which starts a thread for each task. */
    private static final class Scene {
        private final Names storage = new Names();
        private final int preparations;
        private final SegmentSupply supply;

        Scene(int preparations) {
            this.preparations = preparations;
            this.supply = new SegmentSupply(
                    storage,
                    this::start,
                    () -> false,
                    JournalConfig.at(Durability.PROCESS)
                            .withSegmentBytes(16 << 10)
                            .withPreparedSegments(2)
                            .withPrepareInBackground(false),
                    () -> 0,
                    thrown -> {});
        }

        private void start(Runnable task) {
            for (int i = 0; i < preparations; i++) {
                new Thread(task).start();
            }
        }

        void takeThree() throws IOException {
            for (long number = 1; number <= 3; number++) {
                supply.request(number);
                supply.await(number);
                StorageFile file = supply.take(number);
                if (!file.name().equals(FileName.of(number))) {
                    throw new AssertionError(file.name() + " comes as number " + number);
                }
                file.close();
            }
            supply.close();
            storage.requireClosed();
        }
    }

    /** A folder that remembers names and who has them open, and nothing else. */
    private static final class Names implements Storage {
        private final Set<String> names = new HashSet<>();
        private int open;

        synchronized void requireClosed() {
            if (open != 0) {
                throw new AssertionError(open + " files are open");
            }
        }

        private synchronized void closed() {
            open--;
        }

        @Override
        public String description() {
            return "names";
        }

        @Override
        public synchronized List<String> list() {
            return List.copyOf(names);
        }

        @Override
        public Closeable lock() {
            throw new UnsupportedOperationException();
        }

        @Override
        public synchronized StorageFile create(String name) {
            if (!names.add(name)) {
                throw new AssertionError(name + " is there already");
            }
            open++;
            return new Name(this, name);
        }

        @Override
        public synchronized StorageFile open(String name) {
            open++;
            return new Name(this, name);
        }

        @Override
        public StorageFile openForReading(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public synchronized void rename(String from, String to) {
            if (!names.remove(from) || !names.add(to)) {
                throw new AssertionError("cannot rename " + from + " to " + to);
            }
        }

        @Override
        public synchronized void delete(String name) {
            names.remove(name);
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
    }

    private record Name(Names storage, String name) implements StorageFile {
        @Override
        public long size() {
            return 0;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer source, long position) {
            int count = source.remaining();
            source.position(source.limit());
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
            storage.closed();
        }
    }
}
