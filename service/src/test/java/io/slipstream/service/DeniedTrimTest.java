package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.ForwardingStorage;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that cannot be trimmed keeps more than it must; the service says why, goes on, and tries again. */
class DeniedTrimTest {
    private final List<String> told = new CopyOnWriteArrayList<>();

    @TempDir
    Path directory;

    private DenyingStorage storage;
    private Service service;
    private ServiceClient client;

    @BeforeEach
    void start() throws IOException {
        storage = new DenyingStorage(directory);
        ServiceConfig config = ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS)
                        .withSegmentBytes(64 << 10)
                        .withPreparedSegments(1))
                .withSnapshots(SnapshotPolicy.onDemand().withLogKept(Duration.ZERO))
                .withEvents(new ServiceEvents() {
                    @Override
                    public void onTrimFailed(Throwable reason) {
                        told.add(String.valueOf(reason.getMessage()));
                    }

                    @Override
                    public void onTrimmedAgain() {
                        told.add("trimmed again");
                    }
                });
        service = Service.start(config, new SnapshotTest.Summing(), null, null, storage);
        client = TestClients.connect(service.port());
    }

    @AfterEach
    void close() throws Exception {
        storage.denial = null;
        client.close();
        service.close();
        service.ended().get();
    }

    @Test
    void goesOnWhileItMayRemoveNothingAndTrimsWhenItMay() throws Exception {
        storage.denial = new AccessDeniedException("segment-0000000000000001.journal");
        fillAndSave();
        Await.until("it says why", () -> told.size() == 1);
        assertThat(told.getFirst())
                .contains("no permission for segment-0000000000000001.journal")
                .contains("check the owner and the permissions of the folder");
        int attempts = storage.attempts.get();
        Await.until("it tries again", () -> storage.attempts.get() > attempts);
        assertThat(told).hasSize(1);

        storage.denial = new FileSystemException("segment-0000000000000001.journal", null, "Too many open files");
        Await.until("it says the other reason", () -> told.size() == 2);
        assertThat(told.getLast()).contains("Too many open files").contains("ulimit -n");

        storage.denial = null;
        Await.until("it is trimmed", () -> told.size() == 3);
        assertThat(told.getLast()).isEqualTo("trimmed again");
        assertThat(segments()).doesNotContain("segment-0000000000000001.journal");
        client.call(payload(1));
        assertThat(service.ended()).isNotDone();
    }

    @Test
    void goesOnBesideATailerWhosePositionIsDamaged() throws Exception {
        Path position = directory.resolve("tailer-billing.position");
        Files.write(position, new byte[1024]);
        fillAndSave();
        Await.until("it says why", () -> told.size() == 1);
        assertThat(told.getFirst()).contains("tailer-billing.position");
        assertThat(segments()).contains("segment-0000000000000001.journal");
        client.call(payload(1));

        Files.delete(position);
        Await.until("it is trimmed", () -> told.size() == 2);
        assertThat(told.getLast()).isEqualTo("trimmed again");
        assertThat(segments()).doesNotContain("segment-0000000000000001.journal");
        client.call(payload(1));
        assertThat(service.ended()).isNotDone();
    }

    /** Takes two snapshots, several segments behind the begin. */
    private void fillAndSave() throws Exception {
        for (int i = 0; i < 2; i++) {
            for (int command = 0; command < 1_500; command++) {
                client.call(payload(1));
            }
            Await.done(service.snapshot());
        }
    }

    private List<String> segments() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    /** A folder whose segments may not be removed whenever a test says why. */
    private static final class DenyingStorage extends ForwardingStorage {
        private volatile @Nullable IOException denial;
        private final AtomicInteger attempts = new AtomicInteger();

        DenyingStorage(Path path) throws IOException {
            super(FileStorage.open(path));
        }

        @Override
        public void delete(String name) throws IOException {
            require(name);
            super.delete(name);
        }

        @Override
        public void rename(String from, String to) throws IOException {
            require(from);
            super.rename(from, to);
        }

        private void require(String name) throws IOException {
            IOException reason = denial;
            if (reason != null && name.startsWith("segment-") && name.endsWith(".journal")) {
                attempts.incrementAndGet();
                throw reason;
            }
        }
    }
}
