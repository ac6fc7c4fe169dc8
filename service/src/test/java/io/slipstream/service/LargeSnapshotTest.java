package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.ForwardingStorage;
import io.slipstream.journal.storage.ForwardingStorageFile;
import io.slipstream.journal.storage.StorageFile;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A snapshot of many bytes, beside commands that want the device. */
class LargeSnapshotTest {
    private static final int STATE_BYTES = 40 << 20;
    private static final int FORCED_BYTES = 8 << 20;

    @TempDir
    Path directory;

    /** The one instance is saved between two commands, which must not wait for the device as well. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isForcedByAndByAndNeverByTheThreadOfTheLogic(boolean secondInstance) throws Exception {
        WatchedStorage storage = new WatchedStorage(directory);
        ServiceConfig config = ServiceConfig.in(directory).withMaxResponseTime(Await.RESPONSE);
        try (Service service = Service.start(config, new Large(), secondInstance ? Large::new : null, null, storage);
                ServiceClient client = TestClients.connect(service.port())) {
            client.call(payload(1));
            assertThat(Await.done(service.snapshot()).bytes()).isGreaterThan(STATE_BYTES);
        }
        assertThat(storage.forcing).containsOnly("slipstream-snapshot");
        assertThat(storage.forcing).hasSize(secondInstance ? STATE_BYTES / FORCED_BYTES + 1 : 1);
    }

    @Test
    void saysHowFarItsLoadingIs() throws Exception {
        ServiceConfig config = ServiceConfig.in(directory).withMaxResponseTime(Await.RESPONSE);
        try (Service service = Service.start(config, Large::new);
                ServiceClient client = TestClients.connect(service.port())) {
            client.call(payload(1));
            Await.done(service.snapshot());
        }
        List<Long> told = new ArrayList<>();
        ServiceEvents events = new ServiceEvents() {
            @Override
            public void onLoad(long done, long most) {
                assertThat(done).isBetween(0L, most);
                told.add(done);
            }
        };
        Service.start(config.withEvents(events), Large::new).close();
        assertThat(told).hasSizeGreaterThan(STATE_BYTES >> 16).isSorted().startsWith(0L);
        assertThat(told.getLast()).isGreaterThan(STATE_BYTES);
    }

    /** What is forced of snapshots, and by which threads. */
    private static final class WatchedStorage extends ForwardingStorage {
        private final List<String> forcing = new CopyOnWriteArrayList<>();

        WatchedStorage(Path path) throws IOException {
            super(FileStorage.open(path));
        }

        @Override
        protected StorageFile wrap(StorageFile file) {
            return new ForwardingStorageFile(file) {
                @Override
                public void force() throws IOException {
                    if (name().startsWith("snapshot-")) {
                        forcing.add(Thread.currentThread().getName());
                    }
                    super.force();
                }
            };
        }
    }

    private static final class Large extends SnapshotTest.Summing {
        @Override
        public void save(StateOutput output) {
            super.save(output);
            for (int i = 0; i < STATE_BYTES / Long.BYTES; i++) {
                output.writeLong(i);
            }
        }

        @Override
        public void load(StateInput input, int version) {
            super.load(input, version);
            for (int i = 0; i < STATE_BYTES / Long.BYTES; i++) {
                if (input.readLong() != i) {
                    throw new IllegalStateException("another number at place " + i);
                }
            }
        }
    }
}
