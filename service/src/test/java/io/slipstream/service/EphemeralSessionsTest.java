package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No connection outlives its process, so neither does a session that ends with its connection. */
class EphemeralSessionsTest {
    private static final LineProtocol LINES = new LineProtocol();

    @TempDir
    Path folder;

    @Test
    void endWithTheNextStartAfterAKill() throws Exception {
        Path killed = folder.resolve("killed");
        Service service = Service.start(config(running()), new Guests());
        try (Socket guest = connect(service);
                ServiceClient stays = ServiceClient.connect("127.0.0.1", service.port())) {
            assertThat(lineFor(guest, "1")).isEqualTo("1");
            stays.call(payload(1));
            copy(running(), killed);
            // In order, while both are connected.
            service.close();
            stays.disconnect();
        }
        requireOnlyTheOtherSession(killed);
        requireOnlyTheOtherSession(running());
    }

    /** The snapshot still has the session, and the entry that ends it comes behind. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endBehindASnapshotThatWasTakenBeforeTheStartWasApplied(boolean secondInstance) throws Exception {
        Path killed = folder.resolve("killed");
        try (Service service = Service.start(config(running()), new Guests());
                Socket guest = connect(service);
                ServiceClient stays = ServiceClient.connect("127.0.0.1", service.port())) {
            assertThat(lineFor(guest, "1")).isEqualTo("1");
            stays.call(payload(1));
            copy(running(), killed);
        }
        ShutGate gate = new ShutGate();
        ServiceConfig gated = config(killed).withLogGate(gate);
        Guests live = new Guests();
        try (Service service = secondInstance ? Service.start(gated, Guests::new) : Service.start(gated, live)) {
            assertThat(Await.done(service.snapshot()).sequence())
                    .isEqualTo(service.recovery().lastSequence());
            gate.open();
        }
        requireOnlyTheOtherSession(killed);
    }

    private static void requireOnlyTheOtherSession(Path directory) throws Exception {
        Guests live = new Guests();
        try (Service service = Service.start(config(directory), live);
                ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            client.call(payload(1));
            // The one that may come back, and that of this client.
            assertThat(live.open).hasSize(2);
            assertThat(live.closed).hasSize(1);
            assertThat(client.status().sessions()).isEqualTo(2);
        }
        Guests replayed = new Guests();
        Service.replay(config(directory), replayed);
        assertThat(replayed.closed).isEqualTo(live.closed);
        assertThat(replayed.open).isEqualTo(live.open);
    }

    private Path running() {
        return folder.resolve("running");
    }

    private static Socket connect(Service service) throws IOException {
        return new Socket("127.0.0.1", service.port(LINES));
    }

    private static String lineFor(Socket socket, String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)).readLine();
    }

    private static ServiceConfig config(Path directory) {
        return ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withProtocol(LINES, new InetSocketAddress("127.0.0.1", 0))
                .withEvents(ServiceEvents.ignored())
                .withStateChecks(1)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 16));
    }

    /** What a process leaves that is killed now. */
    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        List<Path> files;
        try (Stream<Path> all = Files.list(from)) {
            files = all.toList();
        }
        for (Path file : files) {
            Files.copy(file, to.resolve(file.getFileName()));
        }
    }

    /** Knows who is there, and who was. */
    private static final class Guests implements StateMachine {
        private final SortedSet<Long> open = new TreeSet<>();
        private final SortedSet<Long> closed = new TreeSet<>();

        @Override
        public void onCommand(Request command, Output output) {
            output.reply(payload(1));
        }

        @Override
        public void onSessionOpen(long session, String principal, Output output) {
            open.add(session);
        }

        @Override
        public void onSessionClose(long session, Output output) {
            open.remove(session);
            closed.add(session);
        }

        @Override
        public long stateHash() {
            return 31L * open.hashCode() + closed.hashCode();
        }

        @Override
        public void save(StateOutput output) {
            for (SortedSet<Long> sessions : List.of(open, closed)) {
                output.writeInt(sessions.size());
                sessions.forEach(output::writeLong);
            }
        }

        @Override
        public void load(StateInput input, int version) {
            for (SortedSet<Long> sessions : List.of(open, closed)) {
                for (int i = input.readInt(); i > 0; i--) {
                    sessions.add(input.readLong());
                }
            }
        }
    }
}
