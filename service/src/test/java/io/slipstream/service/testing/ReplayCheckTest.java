package io.slipstream.service.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.TestClients;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.snapshot.Recovery;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.service.testing.ReplayCheck.Diverged;
import io.slipstream.service.testing.ReplayCheck.Proof;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the settings as they come, a replay is held against what the log and the snapshots say of the state. */
class ReplayCheckTest {
    private static final int COMMANDS = 20;
    private static final int AT_ONCE = 8;

    @TempDir
    Path folder;

    @Test
    void provesTheStateThatAServiceHadWhenItWasClosed() throws IOException {
        long hash = write(1);
        assertThat(check(Summing::new)).isInstanceOfSatisfying(Proof.class, proof -> {
            assertThat(proof.stateHash()).isEqualTo(hash);
            assertThat(proof.after()).isZero();
            assertThat(proof.checks()).isEqualTo(1);
            assertThat(proof.proven()).isEqualTo(proof.last() - 1);
            assertThat(proof.failures()).isZero();
        });
        write(1);
        assertThat(check(Summing::new))
                .isInstanceOfSatisfying(
                        Proof.class, proof -> assertThat(proof.checks()).isEqualTo(2));
    }

    @Test
    void aFolderWithoutALogProvesNothing() {
        assertThatThrownBy(() -> TestService.assertReplays(folder.resolve("none"), Summing::new))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no folder");
        assertThatThrownBy(() -> TestService.assertReplays(folder, Summing::new))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no log");
    }

    @Test
    void findsLogicThatCountsDouble() throws IOException {
        write(1);
        Supplier<StateMachine> doubled = () -> new Summing(value -> 2 * value);
        assertThat(check(doubled))
                .isInstanceOfSatisfying(
                        Diverged.class, diverged -> assertThat(diverged.text()).contains("slipstream journal bisect"));
        assertThatThrownBy(() -> TestService.assertReplays(folder, doubled))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("does not replay");
        assertThatThrownBy(() -> Service.start(config(), doubled)).hasMessageContaining("diverged");
        assertThatCode(() -> TestService.assertReplays(folder, Summing::new)).doesNotThrowAnyException();
    }

    @Test
    void findsAMachineThatThrowsOnEverythingAlsoBehindASnapshotAtTheEnd() throws Exception {
        try (Service service = Service.start(config(), Summing::new);
                ServiceClient client = TestClients.connect(service.port())) {
            send(client, 1);
            Await.done(service.snapshot());
        }
        Supplier<StateMachine> throwing = () -> new Summing(value -> {
            throw new IllegalStateException("no");
        });
        assertThatThrownBy(() -> TestService.assertReplays(folder, throwing)).isInstanceOf(AssertionError.class);
        assertThat(check(throwing)).isInstanceOf(Diverged.class);
        assertThat(check(Summing::new))
                .isInstanceOfSatisfying(
                        Proof.class, proof -> assertThat(proof.snapshots()).isEqualTo(1));
    }

    @Test
    void findsASnapshotThatTheLogDoesNotLeadTo() throws Exception {
        ServiceConfig unchecked = config().withStateChecks(0);
        try (Service service = Service.start(unchecked, () -> new Summing(value -> 2 * value));
                ServiceClient client = TestClients.connect(service.port())) {
            send(client, 1);
            Await.done(service.snapshot());
            send(client, 1);
        }
        assertThat(check(Summing::new)).isInstanceOfSatisfying(Diverged.class, diverged -> {
            assertThat(diverged.after()).isZero();
            assertThat(diverged.text()).contains("and the snapshot of it has");
        });
        assertThat(check(() -> new Summing(value -> 2 * value))).isInstanceOfSatisfying(Proof.class, proof -> {
            assertThat(proof.checks()).isZero();
            assertThat(proof.snapshots()).isEqualTo(1);
            assertThat(proof.proven()).isPositive().isLessThan(proof.last());
        });
    }

    @Test
    void beginsWithTheOldestSnapshotWhereTheLogWasTrimmed() throws Exception {
        ServiceConfig trimming =
                config().withSnapshots(SnapshotPolicy.onDemand().withLogKept(Duration.ZERO));
        long first;
        try (Service service = Service.start(trimming, Summing::new);
                ServiceClient client = TestClients.connect(service.port())) {
            for (int i = 0; i < 3; i++) {
                for (int round = 0; round < 100; round++) {
                    send(client, 1);
                }
                Await.done(service.snapshot());
            }
            Await.until("the log is trimmed", () -> !Files.exists(folder.resolve("segment-0000000000000001.journal")));
        }
        try (Journal journal = Journal.open(folder, config().journal())) {
            first = journal.firstSequence();
        }
        assertThat(first).isGreaterThan(1);
        assertThat(check(Summing::new)).isInstanceOfSatisfying(Proof.class, proof -> {
            assertThat(proof.after()).isGreaterThanOrEqualTo(first - 1);
            assertThat(proof.snapshots()).isEqualTo(1);
        });
        assertThat(check(() -> new Summing(value -> 2 * value))).isInstanceOf(Diverged.class);
    }

    @Test
    void aStartRefusesASnapshotThatIsLoadedToAnotherState() throws Exception {
        try (Service service = Service.start(config(), Summing::new);
                ServiceClient client = TestClients.connect(service.port())) {
            send(client, 1);
            Await.done(service.snapshot());
        }
        assertThatThrownBy(() -> Service.start(config(), Forgetful::new))
                .hasMessageContaining("what 'load' of 'Summing' reads is not what 'save' has written")
                .hasMessageContaining("slipstream journal check");
        assertThat(check(Forgetful::new)).isInstanceOf(Diverged.class);
    }

    @Test
    void hashesTheStateWheneverTheLogHasGrownByManyBytes() throws IOException {
        int length = 15 << 10;
        int commands = (40 << 20) / length;
        try (Service service = Service.start(config(), Summing::new);
                ServiceClient client = TestClients.connect(service.port())) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 1; i <= commands; i++) {
                replies.add(client.send(new byte[length]));
                if (replies.size() == AT_ONCE || i == commands) {
                    replies.forEach(CompletableFuture::join);
                    replies.clear();
                }
            }
        }
        List<Long> checks = new ArrayList<>();
        long last;
        try (Journal journal = Journal.open(folder, config().journal())) {
            last = journal.nextSequence() - 1;
            journal.read(1, (memory, offset, bytes) -> {
                if (Message.type(memory, offset) == MessageType.CHECK) {
                    checks.add(Message.sequence(memory, offset));
                }
            });
        }
        assertThat(checks).hasSize(3).last().isEqualTo(last);
        assertThat(checks.getFirst()).isBetween(commands / 3L, commands / 2L);
        assertThat(check(Summing::new))
                .isInstanceOfSatisfying(
                        Proof.class, proof -> assertThat(proof.checks()).isEqualTo(3));
    }

    @Test
    void aSkippedEntryMayHaveChangedWhatTheLogSaysBehindIt() throws IOException {
        write(1);
        long before = hash();
        long skipped;
        try (Journal journal = Journal.open(folder, config().journal())) {
            long[] command = {0};
            journal.read(1, (memory, offset, bytes) -> {
                if (Message.type(memory, offset) == MessageType.COMMAND && command[0] == 0) {
                    command[0] = Message.sequence(memory, offset);
                }
            });
            skipped = command[0];
        }
        Report nowhere = new Report(new PrintStream(OutputStream.nullOutputStream()), false);
        try (JournalTool tool = new JournalTool(folder, nowhere)) {
            tool.skip(skipped);
        }
        long hash = write(1);
        assertThat(hash).isEqualTo(2 * before - 1);
        assertThat(check(Summing::new))
                .isInstanceOfSatisfying(
                        Proof.class, proof -> assertThat(proof.checks()).isEqualTo(1));
    }

    private ReplayCheck.Result check(Supplier<? extends StateMachine> machines) throws IOException {
        return ReplayCheck.run(folder, machines, Recovery.Progress.NONE);
    }

    private ServiceConfig config() {
        return ServiceConfig.in(folder)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 16));
    }

    private long hash() throws IOException {
        return Service.replay(config(), new Summing()).stateHash();
    }

    private long write(long value) throws IOException {
        try (Service service = Service.start(config(), Summing::new);
                ServiceClient client = TestClients.connect(service.port())) {
            send(client, value);
            return client.status().stateHash();
        }
    }

    private static void send(ServiceClient client, long value) {
        for (int i = 0; i < COMMANDS; i++) {
            client.call(ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(value)
                    .array());
        }
    }

    /** Adds up what a rule makes of each value. */
    private static class Summing implements StateMachine {
        private final LongUnaryOperator rule;
        long sum;

        Summing() {
            this(value -> value);
        }

        Summing(LongUnaryOperator rule) {
            this.rule = rule;
        }

        @Override
        public void onCommand(Request command, Output output) {
            byte[] payload = command.payload();
            sum += rule.applyAsLong(
                    ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).getLong());
        }

        @Override
        public long stateHash() {
            return sum;
        }

        @Override
        public String name() {
            return "Summing";
        }

        @Override
        public void save(StateOutput to) {
            to.writeLong(sum);
        }

        @Override
        public void load(StateInput from, int version) {
            sum = from.readLong();
        }
    }

    /** Loads less than was saved. */
    private static final class Forgetful extends Summing {
        @Override
        public void load(StateInput from, int version) {
            super.load(from, version);
            sum--;
        }
    }
}
