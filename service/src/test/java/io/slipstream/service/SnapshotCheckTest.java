package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A snapshot that loads another state than was saved does not count. */
class SnapshotCheckTest {
    private static final int COMMANDS = 400;

    @TempDir
    Path directory;

    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {Forgetful.FORGETS, Forgetful.STOPS_SHORT, Forgetful.THROWS})
    void keepsTheFormerSnapshotsAndAllOfTheLogWhenAnotherStateIsLoaded(long flaw) throws Exception {
        long hash;
        try (Service service = Service.start(config(), Forgetful::new);
                ServiceClient client = TestClients.connect(service.port())) {
            for (int round = 0; round < 2; round++) {
                call(client, 1);
                Await.done(service.snapshot());
            }
            client.call(payload(flaw));
            call(client, 1);
            List<String> before = files();
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> Await.done(service.snapshot()))
                        .hasMessageContaining("again")
                        .hasMessageContaining("the snapshots before and the log stay");
            }
            assertThat(failures).hasSize(2);
            call(client, 1);
            assertThat(files()).containsAll(before).noneMatch(name -> name.endsWith(".snapshot.tmp"));
            assertThat(snapshots()).hasSize(2);
            hash = client.status().stateHash();
        }
        try (Service service = Service.start(config(), Forgetful::new);
                ServiceClient client = TestClients.connect(service.port())) {
            assertThat(client.status().stateHash()).isEqualTo(hash);
        }
    }

    @Test
    void goesOnWithSnapshotsOnceTheyLoadAgain() throws Exception {
        try (Service service = Service.start(config(), Forgetful::new);
                ServiceClient client = TestClients.connect(service.port())) {
            client.call(payload(Forgetful.FORGETS));
            assertThatThrownBy(() -> Await.done(service.snapshot())).hasMessageContaining("'Forgetful'");
            assertThat(snapshots()).isEmpty();
            client.call(payload(-Forgetful.FORGETS));
            Await.done(service.snapshot());
            assertThat(snapshots()).hasSize(1);
        }
    }

    @Test
    void refusesToCheckWithOneMachineAlone() {
        assertThatThrownBy(() -> Service.start(config(), new Forgetful()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a check of snapshots needs a second machine");
        assertThat(directory).isEmptyDirectory();
    }

    private static void call(ServiceClient client, long value) throws IOException {
        for (int i = 0; i < COMMANDS; i++) {
            client.call(payload(value));
        }
    }

    private List<String> snapshots() throws IOException {
        return files().stream().filter(name -> name.endsWith(".snapshot")).toList();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withSnapshots(
                        SnapshotPolicy.onDemand().withLogKept(Duration.ZERO).withLoadCheck())
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 16))
                .withLimits(limits -> limits.withMaxFrameLength(1 << 12))
                .withEvents(new ServiceEvents() {
                    @Override
                    public void onSnapshotFailed(Throwable reason) {
                        failures.add(reason);
                    }
                });
    }

    /** Adds numbers up; large ones make it load another state than it has saved. */
    private static final class Forgetful implements StateMachine {
        static final long FORGETS = 1_000_000;
        static final long STOPS_SHORT = 2_000_000;
        static final long THROWS = 3_000_000;

        private long sum;

        @Override
        public void onCommand(Request command, Output output) {
            sum += value(command.payload());
            output.reply(payload(sum));
        }

        @Override
        public long stateHash() {
            return sum;
        }

        @Override
        public void save(StateOutput output) {
            output.writeLong(sum);
            output.writeLong(sum);
        }

        @Override
        public void load(StateInput input, int version) {
            sum = input.readLong();
            if (sum >= THROWS) {
                throw new IllegalStateException("too much");
            }
            if (sum < STOPS_SHORT) {
                input.readLong();
            }
            if (sum >= FORGETS) {
                sum--;
            }
        }
    }
}
