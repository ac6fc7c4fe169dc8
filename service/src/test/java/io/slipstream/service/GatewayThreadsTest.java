package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.CounterValue;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.counters.CountersReader;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.FeedHandler;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.gateway.Gateway;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.CuttingProxy;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several gateways, each with a thread, a selector and clients of its own, in front of one log. */
class GatewayThreadsTest {
    private static final int GATEWAYS = 3;

    @TempDir
    Path directory;

    @Test
    void allGatewaysServeAndEachCommandIsAnsweredOnce() throws Exception {
        try (Service service = Service.start(config(), new LedgerMachine());
                Clients opened = new Clients()) {
            List<ServiceClient> clients = opened.all;
            for (int i = 0; i < 4 * GATEWAYS; i++) {
                clients.add(TestClients.connect(service.port()));
            }
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                for (ServiceClient client : clients) {
                    replies.add(client.send(payload(i)));
                }
            }
            Set<Long> totals = ConcurrentHashMap.newKeySet();
            for (CompletableFuture<Reply> reply : replies) {
                assertThat(totals.add(value(Await.done(reply).payload()))).isTrue();
            }
            for (ServiceClient client : clients) {
                assertThat(value(client.query(payload(499)).payload())).isEqualTo(clients.size());
            }
            assertThat(service.gateways().all())
                    .hasSize(GATEWAYS)
                    .extracting(Gateway::accepted)
                    .allMatch(accepted -> accepted.getAcquire() >= 4 * 500);
        }
    }

    /** Each HELLO comes to the next gateway; the one before learns of it from what the logic says to the next. */
    @Test
    void aSessionThatIsResumedAtAnotherGatewayLeavesTheOneBefore() throws Exception {
        try (Service service = Service.start(config(), new LedgerMachine())) {
            Socket before = open(service, 7);
            for (int i = 1; i <= 2 * GATEWAYS; i++) {
                Socket present = open(service, 7);
                MemorySegment last = RawFrames.receive(before);
                assertThat(Message.type(last, 0)).isEqualTo(MessageType.ERROR);
                assertThat(FailureNotice.code(last, 0)).isEqualTo(FailureCode.SUPERSEDED);
                assertThat(before.getInputStream().read()).isNegative();
                before.close();
                RawFrames.send(present, RawFrames.command(MessageType.COMMAND, i, 5));
                MemorySegment reply = answerTo(present, i);
                assertThat(Message.payloadLong(reply, 0, 0)).isEqualTo(i);
                before = present;
            }
            before.close();
        }
    }

    @Test
    void sessionsAndFeedsGoOnAtOtherGatewaysWhileConnectionsAreCutAgainAndAgain() throws Exception {
        try (Service service = Service.start(config(), new FeedMachine());
                CuttingProxy proxy = new CuttingProxy(service.port(), 3_000, 42);
                ServiceClient writer = TestClients.connect(proxy.port());
                ServiceClient reader = TestClients.connect(proxy.port());
                ServiceClient other = TestClients.connect(service.port())) {
            Sum cut = new Sum();
            Sum whole = new Sum();
            reader.subscribe(FeedMachine.TOPIC, cut);
            Await.done(other.subscribe(FeedMachine.TOPIC, whole).started());
            long total = 0;
            int count = 0;
            while (proxy.cuts() < 30) {
                writer.call(payload(++count));
                total += count;
            }
            proxy.beGood();
            cut.await(count, total);
            whole.await(count, total);
            assertThat(whole.snapshots).isEqualTo(1);
        }
    }

    @Test
    void clientsComeThroughSharedMemoryToEachGateway() throws Exception {
        Path door = directory.resolve("s.ipc");
        try (Service service = Service.start(config().withSharedMemory(door), new LedgerMachine());
                Clients opened = new Clients()) {
            List<ServiceClient> clients = opened.all;
            for (int i = 0; i < 2 * GATEWAYS; i++) {
                clients.add(TestClients.builder(door).connect());
            }
            for (int i = 1; i <= 60; i++) {
                assertThat(value(
                                clients.get(i % clients.size()).call(payload(i)).payload()))
                        .isEqualTo(i);
            }
            assertThat(service.gateways().all())
                    .allMatch(each -> each.accepted().getAcquire() > 20);
        }
    }

    @Test
    void theLimitOfConnectionsAppliesToAllGatewaysTogether() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (Service service =
                Service.start(config().withLimits(limits -> limits.withClients(4, 4, 1 << 12)), new LedgerMachine())) {
            for (int key = 1; key <= 4; key++) {
                sockets.add(open(service, key));
            }
            try (Socket fifth = new Socket("127.0.0.1", service.port())) {
                assertThat(FailureNotice.code(RawFrames.receive(fifth), 0)).isEqualTo(FailureCode.TOO_MANY_CONNECTIONS);
            }
            sockets.removeFirst().close();
            Await.until("there is room", () -> service.gateways().connections() == 3);
            sockets.add(open(service, 5));
            assertThat(service.gateways().connections()).isEqualTo(4);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    /** As with one gateway (S10): what got into the log is answered, whichever gateway has its client. */
    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "SYNC"})
    void aCloseUnderLoadAnswersEveryCommandThatIsInTheLog(Durability level) throws Exception {
        ServiceConfig config = config().withJournal(JournalConfig.at(level).withSegmentBytes(1 << 20));
        Set<Long> answered = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Void>> others = new ArrayList<>();
        Service service = Service.start(config, new LedgerMachine());
        for (int key = 1; key <= 2 * GATEWAYS; key++) {
            Socket socket = open(service, key);
            long client = key;
            others.add(Await.inBackground("sends " + key, () -> sendAll(socket, client)));
            RawFrames.receive(socket);
            answered.add(1L * client << 32 | 1);
            others.add(Await.inBackground("reads " + key, () -> repliesUntilTheEnd(socket, client, answered)));
        }
        service.close();
        assertThat(service.ended()).isCompleted();
        for (CompletableFuture<Void> other : others) {
            Await.done(other);
        }
        List<Long> logged = logged(config);
        assertThat(logged).hasSizeGreaterThan(2 * GATEWAYS);
        assertThat(answered).containsAll(logged);
    }

    @Test
    void showsEachThreadAndSumsOfWhatTheyTook() throws Exception {
        Path file = directory.resolve("counters");
        int places = ServiceCounters.PLACES + (GATEWAYS - 1) * ServiceCounters.PLACES_OF_A_GATEWAY;
        try (Counters counters = Counters.create(file, places);
                Service service = Service.start(config(), new LedgerMachine(), counters)) {
            for (int key = 1; key <= GATEWAYS; key++) {
                try (Socket socket = open(service, key)) {
                    RawFrames.send(socket, RawFrames.command(MessageType.COMMAND, 1, key));
                    answerTo(socket, 1);
                }
            }
        }
        try (CountersReader reader = CountersReader.open(file)) {
            List<CounterValue> values = reader.read();
            assertThat(values)
                    .filteredOn(value -> value.type() == CounterType.LAG)
                    .extracting(CounterValue::label)
                    .contains("lag of the gateway", "lag of the gateway-2", "lag of the gateway-3");
            assertThat(values)
                    .extracting(CounterValue::owner)
                    .contains("thread gateway", "thread gateway-2", "thread gateway-3");
            assertThat(values)
                    .filteredOn(value ->
                            value.owner().equals("commands") && value.label().equals("accepted"))
                    .singleElement()
                    .satisfies(value -> assertThat(value.value()).isGreaterThanOrEqualTo(2 * GATEWAYS));
        }
    }

    @Test
    void needsAThreadForEachStageAndABoundedNumberOfGateways() {
        ServiceConfig config = ServiceConfig.in(directory);
        assertThatThrownBy(() -> config.withGatewayThreads(0)).hasMessage("gatewayThreads must be from 1 to 8, not 0");
        assertThatThrownBy(() -> config.withGatewayThreads(9)).hasMessage("gatewayThreads must be from 1 to 8, not 9");
        for (Threading few : List.of(Threading.ONE, Threading.TWO)) {
            assertThatThrownBy(
                            () -> Service.start(config.withGatewayThreads(2).withThreading(few), new LedgerMachine()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("gatewayThreads 2 needs a thread for each stage, and threading is " + few
                            + ": set Threading.THREE, or have one gateway thread");
        }
        assertThat(directory).isEmptyDirectory();
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory.resolve("service"))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20))
                .withMaxResponseTime(Duration.ofSeconds(60))
                .withThreading(Threading.THREE)
                .withGatewayThreads(GATEWAYS);
    }

    private static Socket open(Service service, long key) throws IOException {
        Socket socket = new Socket("127.0.0.1", service.port());
        RawFrames.send(socket, RawFrames.hello(key));
        assertThat(Message.type(RawFrames.receive(socket), 0)).isEqualTo(MessageType.WELCOME);
        return socket;
    }

    /** Returns the reply to a command, behind those that a session gets again since it may not have seen them. */
    private static MemorySegment answerTo(Socket socket, long correlation) throws IOException {
        MemorySegment frame = RawFrames.receive(socket);
        while (Message.correlation(frame, 0) != correlation) {
            frame = RawFrames.receive(socket);
        }
        return frame;
    }

    private static void sendAll(Socket socket, long client) {
        try {
            for (int i = 1; i <= 2_000; i++) {
                RawFrames.send(socket, RawFrames.command(MessageType.COMMAND, i, client));
            }
        } catch (IOException e) {
            // The service has closed the connection.
        }
    }

    private static void repliesUntilTheEnd(Socket socket, long client, Set<Long> answered) throws IOException {
        try (socket) {
            while (true) {
                MemorySegment frame = RawFrames.receive(socket);
                if (Message.type(frame, 0) == MessageType.REPLY) {
                    answered.add(client << 32 | Message.correlation(frame, 0));
                }
            }
        } catch (EOFException | SocketException e) {
            // The service has closed the connection.
        }
    }

    private static List<Long> logged(ServiceConfig config) throws IOException {
        List<Long> commands = new ArrayList<>();
        try (Journal journal = Journal.open(config.directory(), config.journal())) {
            journal.read(journal.firstSequence(), (memory, offset, length) -> {
                if (Message.type(memory, offset) == MessageType.COMMAND) {
                    commands.add(Message.payloadLong(memory, offset, 0) << 32 | Message.correlation(memory, offset));
                }
            });
        }
        return commands;
    }

    /** They end before their service does. */
    private static final class Clients implements AutoCloseable {
        private final List<ServiceClient> all = new ArrayList<>();

        @Override
        public void close() {
            all.forEach(ServiceClient::close);
        }
    }

    /** Counts and sums up. */
    private static final class Sum implements FeedHandler {
        private volatile long sum;
        private volatile long count;
        private volatile int snapshots;

        @Override
        public void onSnapshot() {
            snapshots++;
            sum = 0;
            count = 0;
        }

        @Override
        public void onSnapshotItem(MemorySegment memory, long offset, int length) {
            count = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
            sum = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + 8);
        }

        @Override
        public void onItem(long itemSequence, int itemIndex, MemorySegment memory, long offset, int length) {
            sum += memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
            count++;
        }

        @Override
        public void onEnd(ServiceException why) {
            // Its client is closed.
        }

        void await(long expectedCount, long expectedSum) throws Exception {
            Await.until("it comes to " + expectedCount, () -> count >= expectedCount);
            assertThat(List.of(count, sum)).containsExactly(expectedCount, expectedSum);
        }
    }
}
