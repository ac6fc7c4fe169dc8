package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wherever a state machine throws an exception: somebody is told, and the service goes on, also after a restart. */
class ThrowingMachineTest {
    @TempDir
    Path directory;

    private int sessions = 2;
    private final BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();
    private final ServiceEvents events = new ServiceEvents() {
        @Override
        public void onMachineFailure(long sequence, long session, Exception failure) {
            uncaught.add(failure);
        }
    };

    @Test
    void doesNotOpenASessionThatTheMachineThrowsOnAndTellsItsClientWhy() throws Exception {
        sessions = 8;
        TwoAccounts machine = new TwoAccounts();
        try (Service service = start(machine);
                ServiceClient first = connect(service)) {
            ServiceClient second = connect(service);
            assertThatThrownBy(() -> connect(service))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no more than two accounts");
            assertThat(first.status().sessions()).isEqualTo(2);
            second.close();
            try (ServiceClient third = connect(service)) {
                third.call(payload(1));
                assertThat(first.status().sessions()).isEqualTo(2);
            }
        }
        assertThat(Service.replay(config(), new TwoAccounts()).stateHash()).isEqualTo(machine.stateHash());
        try (Service service = start(new TwoAccounts())) {
            assertThat(service.ended()).isNotDone();
        }
    }

    @Test
    void endsASessionThoughTheMachineThrowsOnItsEnd() throws Exception {
        StateMachine machine = new Quiet() {
            @Override
            public void onSessionClose(long session, Output output) {
                throw new IllegalStateException("still in use: " + session);
            }
        };
        try (Service service = start(machine);
                ServiceClient witness = connect(service)) {
            connect(service).close();
            assertThat(witness.status().sessions()).isEqualTo(1);
            assertThat(Await.next(uncaught)).hasMessageContaining("still in use");
        }
        try (Service service = start(machine)) {
            assertThat(service.ended()).isNotDone();
        }
    }

    @Test
    void failsAStatusWhoseHashTheMachineThrowsOn() throws Exception {
        StateMachine machine = new Quiet() {
            @Override
            public long stateHash() {
                throw new UnsupportedOperationException("no hash yet");
            }
        };
        try (Service service = start(machine);
                ServiceClient client = connect(service)) {
            assertLogicFailed(client::status, "no hash yet");
            assertThat(client.call(payload(1)).payload()).isEmpty();
        }
    }

    @Test
    void tellsOfWhatIsThrownAfterTheReply() throws Exception {
        StateMachine machine = new Quiet() {
            @Override
            public void onCommand(Request command, Output output) {
                output.reply(command.memory(), command.offset(), 0);
                throw new IllegalStateException("too late");
            }
        };
        try (Service service = start(machine);
                ServiceClient client = connect(service)) {
            assertThat(client.call(payload(1)).payload()).isEmpty();
            assertThat(Await.next(uncaught)).hasMessage("too late");
        }
        start(machine).close();
        assertThat(uncaught).as("told again at replay").isEmpty();
    }

    @Test
    void tellsClientsNoMoreThanTheEntryIfThatIsWanted() throws Exception {
        StateMachine machine = new Quiet() {
            @Override
            public void onCommand(Request command, Output output) {
                throw new IllegalStateException("the password is 1234");
            }
        };
        try (Service service = Service.start(config().withFailureMessages(false), machine);
                ServiceClient client = connect(service)) {
            assertThatThrownBy(() -> client.call(payload(1)))
                    .hasMessageContaining("log entry")
                    .hasMessageNotContaining("1234")
                    .isInstanceOf(ServiceException.class);
            assertThat(Await.next(uncaught)).hasMessage("the password is 1234");
        }
    }

    /** A machine that throws on each of a million commands must not fill the disk with its traces. */
    @Test
    void logsOnlySoManyFailuresASecond() {
        List<Object> lines = new ArrayList<>();
        LoggedEvents logged = new LoggedEvents(loggerOf(lines));
        for (int i = 1; i <= 1_000; i++) {
            logged.onMachineFailure(i, 7, new IllegalStateException("entry " + i));
        }
        assertThat(lines).hasSizeBetween(10, 900).first().asString().contains("log entry 1, session 7");
    }

    @Test
    void logsThatATimerHasThrown() {
        List<Object> lines = new ArrayList<>();
        new LoggedEvents(loggerOf(lines)).onTimerFailure(5, 7, Instant.EPOCH, new IllegalStateException("no"));
        assertThat(lines)
                .containsExactly("the state machine has thrown at log entry 5, timer 7, due at 1970-01-01T00:00:00Z");
    }

    @Test
    void logsWithWhichCommandDamagedSnapshotsAreShown() {
        List<Object> lines = new ArrayList<>();
        new LoggedEvents(loggerOf(lines)).onSnapshotPassedOver(5, "/var/my log");
        assertThat(lines).first().asString().contains("`slipstream journal snapshots '/var/my log'`");
    }

    private System.Logger loggerOf(List<Object> lines) {
        return (System.Logger) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {System.Logger.class},
                (proxy, method, arguments) -> lines.add(arguments[1]));
    }

    private static void assertLogicFailed(ThrowingCallable call, String text) {
        assertThatThrownBy(call)
                .hasMessageContaining(text)
                .isInstanceOfSatisfying(
                        ServiceException.class, e -> assertThat(e.code()).isEqualTo(FailureCode.LOGIC_FAILED));
    }

    private Service start(StateMachine machine) throws IOException {
        return Service.start(config(), machine);
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory)
                .withLimits(limits -> limits.withClients(16, sessions, 4096))
                .withMaxResponseTime(Duration.ofSeconds(60))
                .withEvents(events)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20));
    }

    private static ServiceClient connect(Service service) throws IOException {
        return TestClients.connect(service.port());
    }

    private static class Quiet implements StateMachine {
        @Override
        public void onCommand(Request command, Output output) {}

        @Override
        public long stateHash() {
            return 0;
        }
    }

    /** Has room for two accounts. */
    private static final class TwoAccounts extends Quiet {
        private int accounts;
        private int asked;

        @Override
        public void onSessionOpen(long session, String principal, Output output) {
            asked++;
            if (accounts == 2) {
                throw new IllegalStateException("no more than two accounts");
            }
            accounts++;
        }

        @Override
        public void onSessionClose(long session, Output output) {
            accounts--;
        }

        @Override
        public long stateHash() {
            return 100L * asked + accounts;
        }
    }
}
