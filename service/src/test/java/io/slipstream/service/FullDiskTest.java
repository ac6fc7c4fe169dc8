package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.Status;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service whose log has no room left refuses what must be logged, says why, and goes on when there is room. */
class FullDiskTest {
    private static final int SEGMENT = 1 << 16;

    private final List<String> told = new CopyOnWriteArrayList<>();

    @TempDir
    Path directory;

    private LimitedStorage device;
    private Service service;
    private ServiceClient client;
    private long applied;

    @BeforeEach
    void start() throws IOException {
        device = new LimitedStorage(directory);
        service = Service.start(config(), new LedgerMachine(), null, null, device);
        client = TestClients.connect(service.port());
    }

    @AfterEach
    void close() throws Exception {
        device.full(false);
        client.close();
        service.close();
        service.ended().get();
    }

    @Test
    void refusesCommandsWithTheReasonAndATimeToComeBack() {
        fill();
        assertThatThrownBy(() -> client.call(payload(1)))
                .isInstanceOfSatisfying(BusyException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Busy.Reason.LOG_FULL);
                    assertThat(e.retryAfterNanos()).isBetween(500_000_000L, 1_000_000_000L);
                })
                .hasMessageContaining("the log of the service has no room left");
    }

    @Test
    void answersQueriesAndStatusMeanwhileAndGoesOnWhenThereIsRoom() throws IOException {
        fill();
        assertThat(value(client.query(payload(1)).payload())).isEqualTo(applied);
        Status status = client.status();
        assertThat(status.isLogFull()).isTrue();
        assertThat(status.unlogged()).isPositive();
        device.full(false);
        applyWhenThereIsRoom();
        assertThat(client.status().isLogFull()).isFalse();
        assertThat(value(client.query(payload(1)).payload())).isEqualTo(applied);
        long hash = client.status().stateHash();
        client.close();
        service.close();
        LedgerMachine replayed = new LedgerMachine();
        assertThat(Service.replay(config(), replayed).stateHash()).isEqualTo(hash);
    }

    @Test
    void countsWhatAFullLogRefusesAsRefusedAndNotAsAccepted() {
        long accepted = service.accepted();
        fill();
        assertThat(service.refused()).isEqualTo(1);
        assertThat(service.accepted()).isEqualTo(accepted + applied);
    }

    @Test
    void noticesThatThereIsRoomThoughNoCommandComes() throws Exception {
        fill();
        device.full(false);
        Await.until("it has room", () -> !client.status().isLogFull());
        Await.until("it tells so", () -> told.size() == 2);
        client.call(payload(1));
    }

    @Test
    void tellsOnceThatThereIsNoRoomAndOnceThatThereIs() {
        fill();
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> client.call(payload(1))).isInstanceOf(BusyException.class);
        }
        device.full(false);
        applyWhenThereIsRoom();
        assertThat(told).hasSize(2);
        assertThat(told.getFirst()).startsWith("full: no further segment");
        assertThat(told.getLast()).startsWith("room again");
    }

    @Test
    void tellsANewClientWhyItCannotHaveASession() throws Exception {
        fill();
        // What is short may find room.
        TestClients.refusal(
                TestClients.builder(service.port()).connectTimeout(Duration.ofMillis(500)),
                "the log of the service has no room");
        device.full(false);
        applyWhenThereIsRoom();
        TestClients.connect(service.port()).close();
    }

    @Test
    void saysAgainThatASessionHasLostItsConnection() throws Exception {
        ServiceClient other = TestClients.connect(service.port());
        fill();
        other.disconnect();
        device.full(false);
        applyWhenThereIsRoom();
        // Only one without a connection makes way for a new one: of four there may be, one is the client's.
        for (int i = 0; i < 6; i++) {
            TestClients.connect(service.port()).disconnect();
        }
    }

    @Test
    void firesATimerThatWasDueWhileThereWasNoRoom() throws Exception {
        client.close();
        service.close();
        device = new LimitedStorage(directory.resolve("timers"));
        TickingMachine machine = new TickingMachine();
        service = Service.start(config(), machine, null, null, device);
        client = TestClients.connect(service.port());
        long due = machine.fired;
        while (machine.fired < due + 3) {
            client.call(payload(1));
        }
        fill();
        long before = machine.fired;
        device.full(false);
        Await.until("it fires again", () -> machine.fired > before);
    }

    private void fill() {
        device.full(true);
        try {
            while (true) {
                client.call(payload(1));
                applied++;
            }
        } catch (BusyException e) {
            assertThat(e.reason()).isEqualTo(Busy.Reason.LOG_FULL);
        }
    }

    private void applyWhenThereIsRoom() {
        while (true) {
            try {
                client.call(payload(1));
                applied++;
                return;
            } catch (BusyException e) {
                Thread.onSpinWait();
            }
        }
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withLimits(limits -> limits.withClients(1024, 4, 1 << 12))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(SEGMENT))
                .withEvents(new ServiceEvents() {
                    @Override
                    public void onLogFull(Throwable reason) {
                        told.add("full: " + reason.getMessage());
                    }

                    @Override
                    public void onLogHasRoom(long refused) {
                        told.add("room again, " + refused + " refused");
                    }
                });
    }
}
