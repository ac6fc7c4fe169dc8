package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.pressure.PressureGauge.Level;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.testkit.Await;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens as a service gets full: somebody is told, then what can be done without is refused, then everything. */
class SheddingTest {
    private static final int MOST = 100;
    private static final byte NEEDED = 1;
    private static final byte OPTIONAL = 2;

    @TempDir
    Path directory;

    private final List<Level> levels = new CopyOnWriteArrayList<>();

    @Test
    void tellsFirstThenShedsWhatCanBeDoneWithoutThenRefusesEverything() throws Exception {
        Held machine = new Held();
        ServiceEvents events = new ServiceEvents() {
            @Override
            public void onPressure(Level level, long pending, long limit) {
                levels.add(level);
            }
        };
        ServiceConfig config = ServiceConfig.in(directory)
                .withJournal(JournalConfig.at(Durability.PROCESS))
                .withThreading(Threading.THREE)
                .withLimits(limits -> limits.withMaxPending(MOST))
                .withEvents(events)
                .withMaxResponseTime(Duration.ofSeconds(60))
                .withShedding((type, memory, offset, length) ->
                        type == MessageType.COMMAND && memory.get(ValueLayout.JAVA_BYTE, offset) == OPTIONAL);
        try (Service service = Service.start(config, machine);
                ServiceClient client = TestClients.connect(service.port())) {
            List<CompletableFuture<Reply>> accepted = new ArrayList<>();
            long before = service.accepted();
            fill(service, client, accepted, before, 65, OPTIONAL);
            assertThat(levels).isEmpty();
            // One more could already be shed.
            fill(service, client, accepted, before, 85, OPTIONAL);
            await(Level.SHEDDING);
            assertBusy(client.send(new byte[] {OPTIONAL}));
            fill(service, client, accepted, before, MOST, NEEDED);
            await(Level.FULL);
            assertBusy(client.send(new byte[] {NEEDED}));
            machine.go.countDown();
            for (CompletableFuture<Reply> reply : accepted) {
                Await.done(reply);
            }
            // The last reply may come before the gateway has seen that its command is done.
            await(Level.NORMAL);
            Await.done(client.send(new byte[] {OPTIONAL}));
            assertThat(machine.applied).isEqualTo(MOST + 1);
        }
    }

    @Test
    void warmsUpASecondMachineThatNobodySees() throws Exception {
        List<Held> machines = new CopyOnWriteArrayList<>();
        ServiceConfig config = ServiceConfig.in(directory)
                .withJournal(JournalConfig.at(Durability.PROCESS))
                .withWarmUp(new WarmUp(Duration.ofMillis(50), number -> new byte[] {NEEDED}));
        try (Service service = Service.start(config, () -> {
            Held machine = new Held();
            machine.go.countDown();
            machines.add(machine);
            return machine;
        })) {
            assertThat(machines).hasSize(2);
            assertThat(machines.stream().filter(machine -> machine.applied > 0)).hasSize(1);
            assertThat(service.recovery().records()).isZero();
        }
        assertThatThrownBy(() -> Service.start(config, new Held())).hasMessageContaining("second machine");
    }

    private static void fill(
            Service service,
            ServiceClient client,
            List<CompletableFuture<Reply>> accepted,
            long before,
            int upTo,
            byte kind) {
        while (accepted.size() < upTo) {
            accepted.add(client.send(new byte[] {kind}));
        }
        while (service.accepted() - before < upTo) {
            Thread.onSpinWait();
        }
    }

    private void await(Level level) throws Exception {
        Await.until("the level is " + level, () -> !levels.isEmpty() && levels.getLast() == level);
    }

    private static void assertBusy(CompletableFuture<Reply> reply) {
        assertThatThrownBy(() -> Await.done(reply)).hasCauseInstanceOf(BusyException.class);
    }

    /** Applies nothing before it may. */
    private static final class Held implements StateMachine {
        private final CountDownLatch go = new CountDownLatch(1);
        private volatile int applied;

        @Override
        public void onCommand(Request command, Output output) {
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            applied = applied + 1;
        }

        @Override
        public long stateHash() {
            return applied;
        }
    }
}
