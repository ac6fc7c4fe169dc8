package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static io.slipstream.service.RawFrames.command;
import static io.slipstream.service.RawFrames.frame;
import static io.slipstream.service.RawFrames.hello;
import static io.slipstream.service.RawFrames.receive;
import static io.slipstream.service.RawFrames.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.testkit.Await;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Socket;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Speaks to the gateway in bytes, as an enemy, a broken client or a cut wire would. */
class HostileInputTest {
    @TempDir
    Path directory;

    private Service service;
    private ServiceClient witness;

    @BeforeEach
    void start() throws Exception {
        service = Service.start(
                ServiceConfig.in(directory)
                        .withMaxResponseTime(Await.RESPONSE)
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20)),
                new LedgerMachine());
        witness = TestClients.connect(service.port());
    }

    /** Whatever was sent: the others are served as before, and the state is that of their commands alone. */
    @AfterEach
    void theOthersAreServedAsBefore() throws Exception {
        assertThat(value(witness.call(payload(42)).payload())).isEqualTo(1);
        witness.close();
        service.close();
        assertThat(service.ended().isCompletedExceptionally()).isFalse();
    }

    @Test
    void closesAStreamWithAFrameThatIsTooShort() throws Exception {
        expectError(frame(MessageType.COMMAND, 0, 40), FailureCode.MALFORMED, "40");
        expectError(frame(MessageType.COMMAND, 0, -1), FailureCode.MALFORMED, "-1");
        expectError(frame(MessageType.COMMAND, 0, 0), FailureCode.MALFORMED, "0");
    }

    @Test
    void closesAStreamWithAFrameThatIsTooLong() throws Exception {
        expectError(frame(MessageType.COMMAND, 0, 1 << 20), FailureCode.TOO_LONG, "1048576");
        expectError(frame(MessageType.COMMAND, 0, Integer.MAX_VALUE), FailureCode.TOO_LONG, "2147483647");
    }

    @Test
    void closesAStreamOfAnotherVersion() throws Exception {
        byte[] bytes = frame(MessageType.COMMAND, 0, Message.HEADER_BYTES);
        bytes[Message.VERSION_OFFSET] = 9;
        expectError(bytes, FailureCode.UNSUPPORTED_VERSION, "9");
    }

    @Test
    void closesAStreamWhoseHelloIsNone() throws Exception {
        byte[] bytes = hello(7);
        bytes[Message.HEADER_BYTES] ^= 1;
        expectError(bytes, FailureCode.MALFORMED, "HELLO");
        expectError(hello(0), FailureCode.MALFORMED, "HELLO");
    }

    @Test
    void answersACommandBeforeHelloAndOneOfAnUnknownTypeAndKeepsTheConnection() throws Exception {
        try (Socket socket = connect()) {
            send(socket, frame(MessageType.COMMAND, 8, Message.HEADER_BYTES + 8));
            assertThat(code(receive(socket))).isEqualTo(FailureCode.NO_SESSION);
            send(socket, frame((short) 999, 8, Message.HEADER_BYTES + 8));
            assertThat(code(receive(socket))).isEqualTo(FailureCode.UNKNOWN_TYPE);
            send(socket, hello(7));
            assertThat(Message.type(receive(socket), 0)).isEqualTo(MessageType.WELCOME);
        }
    }

    @Test
    void answersAResendWithTheSameReplyAndAppliesItOnce() throws Exception {
        try (Socket socket = connect()) {
            send(socket, hello(7));
            receive(socket);
            byte[] query = command(MessageType.QUERY, 5, 77);
            byte[] command = command(MessageType.COMMAND, 3, 77);
            send(socket, command);
            MemorySegment first = receive(socket);
            send(socket, command);
            MemorySegment second = receive(socket);
            assertThat(second.mismatch(first)).isEqualTo(-1);
            send(socket, query);
            assertThat(Message.payloadLong(receive(socket), 0, 0)).isEqualTo(1);
        }
        assertThat(value(witness.call(payload(43)).payload())).isEqualTo(2);
        restartEmpty();
    }

    @Test
    void givesAClientThatComesBackWhatItHasNotSeen() throws Exception {
        MemorySegment reply;
        try (Socket socket = connect()) {
            send(socket, hello(7));
            receive(socket);
            send(socket, command(MessageType.COMMAND, 3, 77));
            reply = receive(socket);
        }
        try (Socket socket = connect()) {
            send(socket, hello(7));
            assertThat(Message.type(receive(socket), 0)).isEqualTo(MessageType.WELCOME);
            assertThat(receive(socket).mismatch(reply)).isEqualTo(-1);
        }
        restartEmpty();
    }

    @Test
    void closesTheFormerConnectionOfASessionThatWasResumed() throws Exception {
        try (Socket former = connect();
                Socket later = connect()) {
            send(former, hello(7));
            receive(former);
            send(later, hello(7));
            receive(later);
            assertThat(code(receive(former))).isEqualTo(FailureCode.SUPERSEDED);
            assertThatThrownBy(() -> receive(former)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void aClientThatVanishesInTheMiddleOfAFrameChangesNothing() throws Exception {
        byte[] command = command(MessageType.COMMAND, 3, 77);
        for (int bytes = 1; bytes < command.length; bytes += 7) {
            try (Socket socket = connect()) {
                send(socket, hello(100 + bytes));
                receive(socket);
                socket.getOutputStream().write(command, 0, bytes);
                socket.getOutputStream().flush();
            }
        }
    }

    @Test
    void survivesRandomBytes() throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 300; i++) {
            byte[] bytes = new byte[random.nextInt(1, 4096)];
            random.nextBytes(bytes);
            if (random.nextBoolean()) {
                // A header that may pass, with rubbish behind it.
                MemorySegment.ofArray(bytes.length < 64 ? bytes = new byte[64] : bytes);
                Message.header(MemorySegment.ofArray(bytes), 0, (short) random.nextInt(1, 8), random.nextInt(64), 1, 2);
            }
            try (Socket socket = connect()) {
                send(socket, bytes);
            } catch (IOException e) {
                // The service may close the connection before it has taken everything.
                assertThat(e).as("seed %d", seed).hasMessageMatching("(?i).*(reset|broken pipe|closed).*");
            }
        }
    }

    /** The tests that sent commands of their own begin the witness's count anew. */
    private void restartEmpty() throws Exception {
        witness.close();
        service.close();
        service = Service.start(
                ServiceConfig.in(directory.resolve("new")).withMaxResponseTime(Await.RESPONSE), new LedgerMachine());
        witness = TestClients.connect(service.port());
    }

    private void expectError(byte[] bytes, FailureCode code, String text) throws IOException {
        try (Socket socket = connect()) {
            send(socket, bytes);
            MemorySegment error = receive(socket);
            assertThat(Message.type(error, 0)).isEqualTo(MessageType.ERROR);
            assertThat(code(error)).isEqualTo(code);
            assertThat(FailureNotice.text(error, 0)).contains(text);
            assertThatThrownBy(() -> receive(socket)).isInstanceOf(EOFException.class);
        }
    }

    private Socket connect() throws IOException {
        return new Socket("127.0.0.1", service.port());
    }

    private static FailureCode code(MemorySegment failure) {
        return FailureNotice.code(failure, 0);
    }
}
