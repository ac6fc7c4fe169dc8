package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.service.snapshot.SnapshotReport;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots, timers, and logs that belong to one state machine. */
class SnapshotTest {
    private static final long FAR_NANOS = 3_600_000_000_000L;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void goesOnFromASnapshotWithItsSessionsTimersAndRandomNumbers(boolean secondInstance) throws Exception {
        long hash;
        SnapshotReport report;
        try (Service service = start(secondInstance);
                ServiceClient client = connect(service)) {
            for (int i = 1; i <= 100; i++) {
                client.call(payload(i));
            }
            report = Await.done(service.snapshot());
            client.call(payload(7));
            hash = client.status().stateHash();
        }
        assertThat(report.sequence()).isBetween(100L, 125L);
        assertThat(report.bytes()).isPositive();
        try (Service service = start(secondInstance);
                ServiceClient client = connect(service)) {
            assertThat(client.status().replayed()).isLessThan(25);
            assertThat(client.status().stateHash()).isEqualTo(hash);
            assertThat(value(client.call(payload(1)).payload())).isEqualTo(5_058);
        }
    }

    @Test
    void closesTheMachinesThatItHasMadeForASnapshotAndNotTheOneThatServes() throws Exception {
        List<Closing> made = new CopyOnWriteArrayList<>();
        Supplier<Closing> machines = () -> {
            Closing machine = new Closing();
            made.add(machine);
            return machine;
        };
        try (Service service = Service.start(
                        config().withSnapshots(SnapshotPolicy.onDemand().withLoadCheck()), machines);
                ServiceClient client = connect(service)) {
            client.call(payload(1));
            Await.done(service.snapshot());
            client.call(payload(1));
        }
        assertThat(made).extracting(machine -> machine.closed).containsExactly(0, 1, 1);
    }

    @Test
    void closesTheMachineOfASnapshotThatFails() throws Exception {
        List<Closing> made = new CopyOnWriteArrayList<>();
        Supplier<Closing> machines = () -> {
            Closing machine = new Closing();
            machine.fails = !made.isEmpty();
            made.add(machine);
            return machine;
        };
        try (Service service = Service.start(config(), machines);
                ServiceClient client = connect(service)) {
            client.call(payload(1));
            assertThatThrownBy(() -> Await.done(service.snapshot())).hasMessageContaining("cannot be saved");
        }
        assertThat(made).extracting(machine -> machine.closed).containsExactly(0, 1);
    }

    @Test
    void fallsBackToTheSnapshotBeforeOneThatIsDamagedAndKeepsAsManyAsIsSaid() throws Exception {
        long hash;
        try (Service service = Service.start(
                        config().withSnapshots(SnapshotPolicy.onDemand().withSnapshotsKept(3)), Summing::new);
                ServiceClient client = connect(service)) {
            for (int i = 1; i <= 5; i++) {
                client.call(payload(i));
                Await.done(service.snapshot());
            }
            hash = client.status().stateHash();
        }
        List<Path> snapshots;
        try (Stream<Path> files = Files.list(directory)) {
            snapshots = files.filter(file -> file.getFileName().toString().endsWith(".snapshot"))
                    .sorted()
                    .toList();
        }
        assertThat(snapshots).hasSize(3);
        byte[] newest = Files.readAllBytes(snapshots.getLast());
        newest[newest.length / 2] ^= 1;
        Files.write(snapshots.getLast(), newest);
        List<Long> passedOver = new ArrayList<>();
        ServiceEvents events = new ServiceEvents() {
            @Override
            public void onSnapshotPassedOver(long sequence) {
                passedOver.add(sequence);
            }
        };
        try (Service service = Service.start(config().withEvents(events), Summing::new);
                ServiceClient client = connect(service)) {
            assertThat(client.status().replayed()).isBetween(1L, 9L);
            assertThat(client.status().stateHash()).isEqualTo(hash);
        }
        assertThat(passedOver).hasSize(1);
        assertThat(snapshots.getLast().toString()).contains(String.valueOf(passedOver.getFirst()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void countsTheBytesOfLogSinceTheLastSnapshotOverRestarts(boolean secondInstance) throws Exception {
        List<SnapshotReport> reports = new CopyOnWriteArrayList<>();
        ServiceConfig config = config().withSnapshots(SnapshotPolicy.everyLogBytes(20_000))
                .withEvents(new ServiceEvents() {
                    @Override
                    public void onSnapshot(SnapshotReport report) {
                        reports.add(report);
                    }
                });
        long logged = 0;
        int runs = 0;
        while (reports.isEmpty() && runs < 10) {
            runs++;
            try (Service service = secondInstance
                            ? Service.start(config, Summing::new)
                            : Service.start(config, new Summing());
                    ServiceClient client = connect(service)) {
                for (int i = 0; i < 100; i++) {
                    client.call(payload(i));
                }
                logged += 100 * (Message.HEADER_BYTES + Long.BYTES);
                if (logged > 20_000) {
                    Await.until("a snapshot", () -> !reports.isEmpty());
                }
            }
        }
        assertThat(runs).isGreaterThan(1);
    }

    @Test
    void countsTheBlocksThatLoneCommandsTake() throws Exception {
        List<SnapshotReport> reports = new CopyOnWriteArrayList<>();
        ServiceConfig config = config().withJournal(
                        JournalConfig.at(Durability.SYNC).withSegmentBytes(1 << 20))
                .withSnapshots(SnapshotPolicy.everyLogBytes(50 * JournalConfig.BLOCK_BYTES))
                .withEvents(new ServiceEvents() {
                    @Override
                    public void onSnapshot(SnapshotReport report) {
                        reports.add(report);
                    }
                });
        callOneByOne(config, 30);
        assertThat(reports).isEmpty();
        callOneByOne(config, 30);
        try (Service service = Service.start(config, Summing::new);
                ServiceClient client = connect(service)) {
            client.call(payload(1));
            Await.until("a snapshot", () -> !reports.isEmpty());
        }
    }

    private static void callOneByOne(ServiceConfig config, int calls) throws Exception {
        try (Service service = Service.start(config, Summing::new);
                ServiceClient client = connect(service)) {
            for (int i = 0; i < calls; i++) {
                client.call(payload(i));
            }
        }
    }

    @Test
    void firesATimerThatWasSetBeforeARestart() throws Exception {
        try (Service service = start(true);
                ServiceClient client = connect(service)) {
            client.call(payload(Summing.SET_TIMER));
            Await.done(service.snapshot());
        }
        try (Service service = start(true);
                ServiceClient client = connect(service)) {
            while (value(client.query(payload(0)).payload()) == 0) {
                Thread.onSpinWait();
            }
            assertThat(value(client.query(payload(0)).payload())).isEqualTo(1);
        }
        Summing replayed = new Summing();
        Service.replay(config(), replayed);
        assertThat(replayed.fired).isEqualTo(1);
    }

    @Test
    void takesNoLogOfAnotherMachine() throws Exception {
        start(true).close();
        assertThatThrownBy(() -> Service.start(config(), new LedgerMachine()))
                .hasMessageContaining("this is the log of 'summing', and the state machine is 'LedgerMachine'");
    }

    @Test
    void tellsTheClientThatACommandWasRejectedAndWhy() throws Exception {
        try (Service service = start(true);
                ServiceClient client = connect(service)) {
            assertThatThrownBy(() -> client.call(payload(Summing.REJECT)))
                    .hasMessage("not today")
                    .isInstanceOfSatisfying(
                            ServiceException.class, e -> assertThat(e.code()).isEqualTo(FailureCode.REJECTED));
        }
    }

    @Test
    void passesOverAPoisonCommandThatWasMarkedToBeSkipped() throws Exception {
        Service service = start(true);
        ServiceClient client = connect(service);
        client.call(payload(5));
        client.send(payload(Summing.POISON));
        assertThatThrownBy(() -> Await.done(service.ended()))
                .hasMessageContaining("at log entry 4")
                .hasMessageContaining("journal skip " + directory + " 4");
        client.disconnect();
        assertThatThrownBy(() -> start(true)).isInstanceOf(Error.class).hasMessageContaining("at log entry 4");
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        new JournalTool(directory, new Report(nowhere, false)).skip(4);
        try (Service again = start(true);
                ServiceClient next = connect(again)) {
            assertThat(value(next.call(payload(1)).payload())).isEqualTo(6);
        }
    }

    private Service start(boolean secondInstance) throws IOException {
        return secondInstance ? Service.start(config(), Summing::new) : Service.start(config(), new Summing());
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withStateChecks(10)
                .withEvents(ServiceEvents.ignored())
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 16));
    }

    private static ServiceClient connect(Service service) throws IOException {
        return TestClients.connect(service.port());
    }

    /** Adds numbers up. */
    private static final class Closing extends Summing {
        private volatile int closed;
        private volatile boolean fails;

        @Override
        public void save(StateOutput output) {
            if (fails) {
                throw new IllegalStateException("cannot be saved");
            }
            super.save(output);
        }

        @Override
        public void close() {
            closed++;
        }
    }

    static class Summing implements StateMachine {
        static final long SET_TIMER = -1;
        static final long REJECT = -2;
        static final long POISON = -3;

        private long sum;
        private long drawn;
        private long fired;

        @Override
        public void onCommand(Request command, Output output) {
            long value = value(command.payload());
            if (value == REJECT) {
                output.reject("not today");
                return;
            }
            if (value == POISON) {
                throw new AssertionError("poison");
            }
            if (value == SET_TIMER) {
                output.schedule(1, output.timeNanos() + FAR_NANOS);
                output.schedule(1, output.timeNanos() + 50_000_000);
                output.schedule(2, output.timeNanos() + FAR_NANOS);
                return;
            }
            sum += value;
            drawn = output.random().nextLong();
            output.reply(payload(sum));
        }

        @Override
        public void onQuery(Request query, Output output) {
            output.reply(payload(fired));
        }

        @Override
        public void onTimer(long timer, Output output) {
            fired++;
        }

        @Override
        public long stateHash() {
            return sum * 31 + drawn + fired;
        }

        @Override
        public void save(StateOutput output) {
            output.writeLong(sum);
            output.writeLong(drawn);
            output.writeLong(fired);
        }

        @Override
        public void load(StateInput input, int version) {
            sum = input.readLong();
            drawn = input.readLong();
            fired = input.readLong();
        }

        @Override
        public String name() {
            return "summing";
        }
    }
}
