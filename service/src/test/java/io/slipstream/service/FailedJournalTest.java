package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.ForwardingStorage;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service whose journal fails while nobody sends anything ends then, and not with the next command. */
class FailedJournalTest {
    @TempDir
    Path directory;

    private FailingStorage storage;
    private Service service;
    private ServiceClient client;

    @BeforeEach
    void start() throws Exception {
        storage = new FailingStorage(directory);
        ServiceConfig config = ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withSnapshots(SnapshotPolicy.onDemand());
        service = Service.start(config, new SnapshotTest.Summing(), null, null, storage);
        client = TestClients.connect(service.port());
        client.call(payload(1));
    }

    @AfterEach
    void disconnect() {
        client.disconnect();
    }

    @Test
    void endsWhenTheNameOfASnapshotCannotBeMadeDurable() {
        storage.fails = true;
        assertThatThrownBy(() -> Await.done(service.snapshot())).rootCause().hasMessageContaining("Input/output error");
        assertEnds("Input/output error");
    }

    @Test
    void endsWhenItsLockIsRemoved() throws IOException {
        Files.delete(directory.resolve("journal.lock"));
        assertEnds("journal.lock");
    }

    private void assertEnds(String why) {
        assertThat(service.ended())
                .failsWithin(Await.PATIENCE)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOf(JournalFailedException.class)
                .withMessageContaining(why);
    }

    /** A folder whose names cannot be made durable once a test says so. */
    private static final class FailingStorage extends ForwardingStorage {
        private volatile boolean fails;

        FailingStorage(Path path) throws IOException {
            super(FileStorage.open(path));
        }

        @Override
        public void syncDirectory() throws IOException {
            if (fails) {
                throw new IOException("Input/output error");
            }
            super.syncDirectory();
        }
    }
}
