package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static io.slipstream.service.RawFrames.frame;
import static io.slipstream.service.RawFrames.receive;
import static io.slipstream.service.RawFrames.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.ConnectionLostException;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Welcome;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.CuttingProxy;
import io.slipstream.testkit.Ports;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReconnectTest {
    @TempDir
    Path directory;

    @Test
    void everyCommandIsAppliedOnceAndAnsweredThoughTheWireIsCutAgainAndAgain() throws Exception {
        long seed = System.nanoTime();
        int commands = 8_000;
        try (Service service = Service.start(config(), new LedgerMachine());
                CuttingProxy wire = new CuttingProxy(service.port(), 60_000, seed);
                ServiceClient client = TestClients.builder(wire.port()).connect()) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < commands; i++) {
                replies.add(client.send(payload(i)));
            }
            for (CompletableFuture<Reply> reply : replies) {
                Await.done(reply);
            }
            assertThat(replies.stream().map(reply -> reply.join().sequence()).distinct())
                    .as("seed %d", seed)
                    .hasSize(commands);
            try (ServiceClient direct = TestClients.connect(service.port())) {
                for (int i = 0; i < commands; i += 97) {
                    assertThat(value(direct.query(payload(i)).payload()))
                            .as("seed %d, command %d", seed, i)
                            .isEqualTo(1);
                }
                assertThat(value(direct.call(payload(commands)).payload()))
                        .as("seed %d", seed)
                        .isEqualTo(commands + 1);
            }
            // By chance from 10 to 20 of them.
            assertThat(wire.cuts()).isGreaterThanOrEqualTo(5);
        }
    }

    @Test
    void whatIsRefusedWasNotAppliedThoughTheWireIsCutAgainAndAgain() throws Exception {
        long seed = System.nanoTime();
        int commands = 8_000;
        ServiceConfig config = config().withThreading(Threading.THREE).withLimits(limits -> limits.withMaxPending(8));
        CompletableFuture<Service> started = new CompletableFuture<>();
        try (Service service = Service.start(config, LedgerMachine.untilRefusal(started));
                CuttingProxy wire = new CuttingProxy(service.port(), 60_000, seed);
                ServiceClient client = TestClients.builder(wire.port()).connect()) {
            started.complete(service);
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < commands; i++) {
                replies.add(client.send(payload(i)));
            }
            for (CompletableFuture<Reply> reply : replies) {
                Await.done(reply.handle((r, e) -> r));
            }
            assertThat(service.refused()).isPositive();
            try (ServiceClient direct = TestClients.connect(service.port())) {
                for (int i = 0; i < commands; i++) {
                    boolean refused = replies.get(i).isCompletedExceptionally();
                    if (refused) {
                        assertThat(replies.get(i).exceptionNow()).isInstanceOf(BusyException.class);
                    }
                    assertThat(value(direct.query(payload(i)).payload()))
                            .as("seed %d, command %d", seed, i)
                            .isEqualTo(refused ? 0 : 1);
                }
            }
        }
    }

    @Test
    void aClientOutlivesARestartOfTheService() throws Exception {
        int port;
        Service service = Service.start(config(), new LedgerMachine());
        port = service.port();
        try (ServiceClient client = TestClients.connect(port)) {
            client.call(payload(1));
            service.close();
            CompletableFuture<Reply> reply = client.send(payload(2));
            try (Service again = Service.start(
                    config().withAddress(new InetSocketAddress("127.0.0.1", port)), new LedgerMachine())) {
                assertThat(value(Await.done(reply).payload())).isEqualTo(2);
                assertThat(again.accepted()).isPositive();
            }
        }
    }

    @Test
    void failsEverythingWhenTheServiceStaysAway() throws Exception {
        Service service = Service.start(config(), new LedgerMachine());
        try (ServiceClient client = TestClients.builder(service.port())
                .reconnectTimeout(Duration.ofMillis(300))
                .connect()) {
            service.close();
            // On a busy machine the client has given up before it is asked, so nothing was lost.
            assertThatThrownBy(() -> client.call(payload(1)))
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("no connection to 127.0.0.1");
            assertThat(client.isOpen()).isFalse();
        }
    }

    @Test
    void theOutcomeOfACommandThatWasSentToAServiceThatStaysAwayIsUnknown() throws Exception {
        ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        int port = server.getLocalPort();
        CompletableFuture<Void> served = Await.inBackground("service", () -> {
            try (server;
                    Socket socket = server.accept()) {
                receive(socket);
                send(socket, welcome(0));
                receive(socket);
            }
        });
        try (ServiceClient client = TestClients.builder(port)
                .reconnectTimeout(Duration.ofMillis(300))
                .connect()) {
            assertThatThrownBy(() -> Await.done(client.send(payload(1))))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(ConnectionLostException.class)
                    .hasMessageContaining("no connection to 127.0.0.1");
            Await.done(served);
            assertThatThrownBy(() -> client.call(payload(2)))
                    .isInstanceOf(ServiceException.class)
                    .isNotInstanceOf(ConnectionLostException.class)
                    .hasMessageContaining("no connection to 127.0.0.1");
        }
    }

    /** What speaks the protocol of another day, or damages it: each connection ends at the same frame. */
    @Test
    void aClientGivesUpAServiceWhoseConnectionsBringNothing() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> serveTheImpossible(server));
            try (ServiceClient client = TestClients.builder(server.getLocalPort())
                    .reconnectTimeout(Duration.ofMillis(300))
                    .connect()) {
                assertThatThrownBy(() -> Await.done(client.send(payload(1))))
                        .isInstanceOf(ExecutionException.class)
                        .cause()
                        .isInstanceOf(ConnectionLostException.class)
                        .hasMessageContaining("a frame of 262145 bytes");
                assertThat(client.isOpen()).isFalse();
            }
        }
    }

    @Test
    void saysThatThereIsNoSuchHostOrNoService() throws Exception {
        assertThatThrownBy(() -> ServiceClient.connect("no.such.host.invalid", 7500))
                .isInstanceOf(IOException.class)
                .hasMessage("there is no host no.such.host.invalid");
        TestClients.refusal(
                TestClients.builder(1).connectTimeout(Duration.ofMillis(200)),
                "cannot connect to 127.0.0.1:1 within 0.2 s",
                "refused");
    }

    @Test
    void saysThatWhoDoesNotAnswerMayBeAServiceThatIsBusy() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            TestClients.refusal(
                    TestClients.builder(silent.getLocalPort()).connectTimeout(Duration.ofMillis(200)),
                    "within 0.2 s: something listens there, but it has not answered: either it is no Slipstream"
                            + " service, or one that");
        }
    }

    @Test
    void everythingFailsAsSoonAsTheConnectionIsLostIfThereIsNoTimeToReconnect() throws Exception {
        Service service = Service.start(config(), new LedgerMachine());
        try (ServiceClient client = TestClients.builder(service.port())
                .reconnectTimeout(Duration.ZERO)
                .connect()) {
            assertThat(value(client.call(payload(1)).payload())).isEqualTo(1);
            service.close();
            assertThatThrownBy(() -> client.call(payload(2)))
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("no connection to 127.0.0.1:");
        } finally {
            service.close();
        }
    }

    /** A client that starts while the service restarts waits for it, however short it seeks a lost connection. */
    @Test
    void waitsForAServiceThatIsNotThereYet() throws Exception {
        int port = Ports.free();
        // For a lost connection it has no patience at all.
        ServiceClient.Builder builder = TestClients.builder(port).reconnectTimeout(Duration.ofNanos(1));
        CompletableFuture<ServiceClient> connecting = new CompletableFuture<>();
        CompletableFuture<Void> connected =
                Await.inBackground("connecting", () -> connecting.complete(builder.connect()));
        try (ServerSocket absent = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            absent.accept().close();
        }
        try (Service service =
                Service.start(config().withAddress(new InetSocketAddress("127.0.0.1", port)), new LedgerMachine())) {
            Await.done(connected);
            try (ServiceClient client = Await.done(connecting)) {
                assertThat(value(client.call(payload(1)).payload())).isEqualTo(1);
                assertThat(service.port()).isEqualTo(port);
            }
        }
    }

    /** It used to fail with the code of that, as if it had not been applied. */
    @Test
    void theOutcomeOfWhatWasSentIsUnknownWhenTheServiceEndsTheConnection() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> served = Await.inBackground("ending a connection", () -> {
                try (Socket socket = server.accept()) {
                    receive(socket);
                    send(socket, welcome(0));
                    receive(socket);
                    send(socket, error(FailureCode.UNAUTHENTICATED, "the credentials have expired"));
                    socket.getInputStream().readAllBytes();
                }
            });
            try (ServiceClient client = TestClients.connect(server.getLocalPort())) {
                assertThatThrownBy(() -> client.call(payload(1)))
                        .isInstanceOf(ConnectionLostException.class)
                        .hasMessageContaining(
                                "the credentials have expired; whether the command was applied is unknown");
                assertThatThrownBy(() -> client.call(payload(2)))
                        .isExactlyInstanceOf(ServiceException.class)
                        .hasMessageContaining("the credentials have expired")
                        .extracting(e -> ((ServiceException) e).code())
                        .isEqualTo(FailureCode.UNAUTHENTICATED);
            }
            Await.done(served);
        }
    }

    private static byte[] error(FailureCode code, String text) {
        byte[] words = FailureNotice.text(text);
        int length = FailureNotice.HEADER_BYTES + words.length;
        byte[] bytes = new byte[Frame.align(Message.HEADER_BYTES + length)];
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Message.header(memory, 0, MessageType.ERROR, length, 0, 0);
        FailureNotice.encodePayload(memory, 0, code, words);
        return bytes;
    }

    private static void serveTheImpossible(ServerSocket server) {
        for (int following = 0; !server.isClosed(); following = 1) {
            try (Socket socket = server.accept()) {
                receive(socket);
                send(socket, welcome(following));
                if (following == 0) {
                    receive(socket);
                }
                send(socket, frame(MessageType.EVENT, 0, Message.MAX_OUTPUT_BYTES + 1));
                socket.getInputStream().readAllBytes();
            } catch (IOException e) {
                // The client has gone, to come again.
            }
        }
    }

    private static byte[] welcome(int following) {
        byte[] bytes = new byte[Frame.align(Message.HEADER_BYTES + Welcome.BYTES)];
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Message.header(memory, 0, MessageType.WELCOME, Welcome.BYTES, 99, 0);
        Welcome.encodePayload(memory, 0, following, false, 1 << 15, 1 << 14);
        return bytes;
    }

    @Test
    void aClientForWhomThereIsNoSessionTriesAgainUntilThereIsOne() throws Exception {
        try (Service service =
                Service.start(config().withLimits(limits -> limits.withClients(8, 1, 4096)), new LedgerMachine())) {
            ServiceClient first = TestClients.connect(service.port());
            ServiceClient second = TestClients.builder(service.port()).begin();
            long before = service.accepted();
            CompletableFuture<Reply> reply = second.send(payload(1));
            Await.until("a few attempts", () -> service.accepted() > before + 2);
            assertThat(reply).isNotDone();
            TestClients.refusal(
                    TestClients.builder(service.port()).connectTimeout(Duration.ofMillis(300)),
                    "within 0.3 s",
                    "at most 1 sessions");
            first.close();
            assertThat(value(Await.done(reply).payload())).isEqualTo(1);
            second.close();
        }
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20))
                .withMaxResponseTime(Duration.ofSeconds(60));
    }
}
