package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A protocol that is not the native one, over sockets of this machine. */
class ProtocolTest {
    @TempDir
    Path directory;

    private final LineProtocol lines = new LineProtocol();
    private Service service;

    @BeforeEach
    void start() throws IOException {
        service = Service.start(config(), new LedgerMachine());
    }

    @AfterEach
    void stop() {
        service.close();
        assertThat(service.ended().isCompletedExceptionally()).isFalse();
    }

    @Test
    void answersInTheOrderOfTheRequestsAlsoWhatTheProtocolAnswersItself() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", service.port(lines))) {
            say(socket, "1\n2\nping\n3\nping\n");
            BufferedReader answers = reader(socket);
            for (String expected : new String[] {"1", "2", "pong", "3", "pong"}) {
                assertThat(answers.readLine()).isEqualTo(expected);
            }
        }
    }

    @Test
    void answersAClientThatHasEndedItsStreamAndThenCloses() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", service.port(lines))) {
            say(socket, "1\n2\nping\n3\n");
            socket.shutdownOutput();
            BufferedReader answers = reader(socket);
            assertThat(answers.lines()).containsExactly("1", "2", "pong", "3");
        }
        try (Socket socket = new Socket("127.0.0.1", service.port())) {
            RawFrames.send(socket, RawFrames.hello(7));
            RawFrames.receive(socket);
            for (int i = 1; i <= 5; i++) {
                RawFrames.send(socket, RawFrames.command(MessageType.COMMAND, i, i));
            }
            socket.shutdownOutput();
            for (int i = 1; i <= 5; i++) {
                assertThat(Message.correlation(reply(socket), 0)).isEqualTo(i);
            }
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static MemorySegment reply(Socket socket) throws IOException {
        MemorySegment frame;
        do {
            frame = RawFrames.receive(socket);
        } while (Message.type(frame, 0) != MessageType.REPLY);
        return frame;
    }

    @Test
    void takesRequestsThatArriveByteByByte() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", service.port(lines))) {
            socket.setTcpNoDelay(true);
            for (char each : "7\n8\nping\n".toCharArray()) {
                say(socket, String.valueOf(each));
            }
            BufferedReader answers = reader(socket);
            assertThat(answers.readLine()).isEqualTo("1");
            assertThat(answers.readLine()).isEqualTo("2");
            assertThat(answers.readLine()).isEqualTo("pong");
        }
    }

    @Test
    void takesMoreRequestsAtOnceThanMayWaitAndRefusesNone() throws IOException {
        int many = 20_000;
        try (Socket socket = new Socket("127.0.0.1", service.port(lines))) {
            Thread.ofVirtual().start(() -> {
                try {
                    say(socket, "5\n".repeat(many));
                } catch (IOException e) {
                    // The reader below finds out.
                }
            });
            BufferedReader answers = reader(socket);
            for (int i = 1; i <= many; i++) {
                assertThat(answers.readLine()).isEqualTo(Integer.toString(i));
            }
        }
    }

    @Test
    void endsTheSessionWithTheConnection() throws Exception {
        try (ServiceClient client = TestClients.connect(service.port())) {
            try (Socket socket = new Socket("127.0.0.1", service.port(lines))) {
                say(socket, "1\n");
                assertThat(reader(socket).readLine()).isEqualTo("1");
                assertThat(client.status().sessions()).isEqualTo(2);
            }
            Await.until("one session is left", () -> client.status().sessions() == 1);
            // Closed at once, perhaps before its session is open.
            for (int i = 0; i < 20; i++) {
                try (Socket socket = new Socket("127.0.0.1", service.port(lines))) {
                    say(socket, "1\n");
                }
            }
            Await.until("one session is left", () -> client.status().sessions() == 1);
        }
    }

    @Test
    void endsAConnectionThatSaysWhatCannotBeUnderstood() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", service.port(lines))) {
            say(socket, "no number\n");
            BufferedReader answers = reader(socket);
            assertThat(answers.readLine()).startsWith("error MALFORMED").contains("no number");
            assertThat(answers.readLine()).isNull();
        }
        try (Socket socket = new Socket("127.0.0.1", service.port(lines))) {
            say(socket, "1".repeat(LineProtocol.LONGEST + 1));
            assertThat(reader(socket).readLine()).startsWith("error TOO_LONG");
        }
        try (ServiceClient client = TestClients.connect(service.port())) {
            assertThat(LedgerMachine.value(client.call(LedgerMachine.payload(1)).payload()))
                    .isEqualTo(1);
        }
    }

    @Test
    void doesNotKnowThePortOfAProtocolThatItDoesNotSpeak() {
        assertThatThrownBy(() -> service.port(new LineProtocol()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lines");
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withProtocol(lines, new InetSocketAddress("127.0.0.1", 0))
                .withLimits(limits -> limits.withMaxPending(64))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20));
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }
}
