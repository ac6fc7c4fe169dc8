package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many connections at once, and many sessions that are remembered, with one client beside them that is served.
 *
 * <p>{@code -Dslipstream.connections=10000} and {@code -Dslipstream.sessions=1000000} make it long; the former needs
 * twice as many open files.
 */
class ManyClientsTest {
    private static final int CONNECTIONS = Integer.getInteger("slipstream.connections", 200);
    private static final int SESSIONS = Integer.getInteger("slipstream.sessions", 2_000);

    @TempDir
    Path directory;

    @Test
    void servesAllConnectionsAndAConnectedSessionIsNeverForgottenForANewOne() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (Service service = Service.start(
                        config().withLimits(limits -> limits.withClients(CONNECTIONS + 2, CONNECTIONS + 1, 4_096)),
                        new LedgerMachine());
                ServiceClient witness = TestClients.connect(service.port())) {
            for (int i = 1; i <= CONNECTIONS; i++) {
                sockets.add(open(service, i));
            }
            for (int i = 0; i < CONNECTIONS; i++) {
                RawFrames.send(sockets.get(i), RawFrames.command(MessageType.COMMAND, 1, i));
            }
            for (Socket socket : sockets) {
                assertThat(Message.type(RawFrames.receive(socket), 0)).isEqualTo(MessageType.REPLY);
            }
            assertThat(value(witness.call(payload(0)).payload())).isEqualTo(CONNECTIONS + 1);
            assertThat(witness.status().sessions()).isEqualTo(CONNECTIONS + 1);
            try (Socket late = new Socket("127.0.0.1", service.port())) {
                RawFrames.send(late, RawFrames.hello(CONNECTIONS + 1));
                assertThat(Message.type(RawFrames.receive(late), 0)).isEqualTo(MessageType.ERROR);
            }
            assertThat(value(witness.call(payload(0)).payload())).isEqualTo(CONNECTIONS + 2);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void remembersTheSessionsOfThoseWhoHaveGoneAlsoBehindARestart() throws Exception {
        ServiceConfig config = config().withLimits(limits -> limits.withClients(64, SESSIONS + 1, 4_096));
        try (Service service = Service.start(config, new LedgerMachine())) {
            for (int i = 1; i <= SESSIONS; i++) {
                try (Socket socket = open(service, i)) {
                    RawFrames.send(socket, RawFrames.command(MessageType.COMMAND, 1, i));
                    RawFrames.receive(socket);
                    // Without a lingering port for each.
                    socket.setSoLinger(true, 0);
                }
            }
        }
        try (Service service = Service.start(config, new LedgerMachine());
                ServiceClient witness = TestClients.connect(service.port())) {
            assertThat(witness.status().sessions()).isEqualTo(SESSIONS + 1);
            for (int i = 1; i <= SESSIONS; i += SESSIONS / 20) {
                assertAppliedOnce(service, witness, i);
            }
            assertThat(value(witness.call(payload(0)).payload())).isEqualTo(SESSIONS + 1);
        }
    }

    /** A resend by a session of before the restart is answered and not applied. */
    private static void assertAppliedOnce(Service service, ServiceClient witness, int number) throws IOException {
        try (Socket socket = open(service, number)) {
            RawFrames.send(socket, RawFrames.command(MessageType.COMMAND, 1, number));
            short type;
            do {
                type = Message.type(RawFrames.receive(socket), 0);
            } while (type != MessageType.REPLY && type != MessageType.FAILED);
        }
        assertThat(value(witness.query(payload(number)).payload()))
                .as("session %d", number)
                .isEqualTo(1);
    }

    /** Opens or resumes the session with that key. */
    private static Socket open(Service service, long key) throws IOException {
        Socket socket = new Socket("127.0.0.1", service.port());
        RawFrames.send(socket, RawFrames.hello(key));
        MemorySegment welcome = RawFrames.receive(socket);
        assertThat(Message.type(welcome, 0)).as("session %d", key).isEqualTo(MessageType.WELCOME);
        return socket;
    }

    private ServiceConfig config() {
        // All send at once: with the usual time most would be refused, as they should be.
        return ServiceConfig.in(directory)
                .withEvents(ServiceEvents.ignored())
                .withMaxResponseTime(Duration.ofSeconds(60))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20));
    }
}
