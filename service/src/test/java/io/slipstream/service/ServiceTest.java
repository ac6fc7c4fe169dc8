package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static io.slipstream.service.RawFrames.command;
import static io.slipstream.service.RawFrames.hello;
import static io.slipstream.service.RawFrames.receive;
import static io.slipstream.service.RawFrames.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.CounterValue;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.counters.CountersReader;
import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ServiceTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(Threading.class)
    void answersPipelinedCommandsInOrderOnAnyNumberOfThreads(Threading threading) throws Exception {
        try (Service service = Service.start(config().withThreading(threading), new LedgerMachine());
                ServiceClient client = TestClients.connect(service.port())) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                replies.add(client.send(payload(i)));
            }
            for (int i = 0; i < replies.size(); i++) {
                assertThat(value(Await.done(replies.get(i)).payload())).isEqualTo(i + 1);
            }
            assertThat(value(client.query(payload(17)).payload())).isEqualTo(1);
        }
    }

    /** Its state would be another one. */
    @Test
    void startsWithNoLogWhoseBeginningIsGone() throws Exception {
        try (Journal journal =
                Journal.open(directory, JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 10))) {
            MemorySegment frame = Arena.ofAuto().allocate(1_024, Frame.ALIGNMENT);
            JournalRecord.header(frame, 0, 1_024, (short) 1, (byte) 1, (byte) 0);
            for (int i = 0; i < 64; i++) {
                journal.append(frame, 0, 1_024);
                journal.commit();
            }
            assertThat(journal.trim(40)).isGreaterThan(1);
        }
        assertThatThrownBy(() -> Service.start(config(), new LedgerMachine()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the log begins with entry");
    }

    /** A frame that the gateway lets in and the journal cannot take would end the service. */
    @Test
    void takesTheLongestFrameThatItsConfigurationAllows() throws Exception {
        ServiceConfig smallest = config().withLimits(limits -> limits.withMaxFrameLength(8_144))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 10));
        assertThatThrownBy(() -> smallest.withLimits(limits -> limits.withMaxFrameLength(8_145)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxFrameLength 8145")
                .hasMessageContaining("takes 8144");
        assertThatThrownBy(() -> config().withJournal(
                                JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 10)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("make the segments larger");
        try (Service service = Service.start(smallest, new LedgerMachine());
                ServiceClient client = TestClients.connect(service.port())) {
            byte[] longest = Arrays.copyOf(payload(1), 8_144 - Message.HEADER_BYTES);
            for (int i = 0; i < 10; i++) {
                client.call(longest);
            }
        }
    }

    @Test
    void leavesNothingOpenWhenItCannotBeShown() throws Exception {
        try (Counters counters = Counters.create(directory.resolve("counters"), 3)) {
            assertThatThrownBy(() -> Service.start(config(), new LedgerMachine(), counters))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("all 3 places");
        }
        try (Service service = Service.start(config(), new LedgerMachine());
                ServiceClient client = TestClients.connect(service.port())) {
            assertThat(value(client.call(payload(1)).payload())).isEqualTo(1);
        }
    }

    @Test
    void showsDepthLagRefusedAndDroppedOfItsRings() throws Exception {
        Path file = directory.resolve("counters");
        try (Counters counters = Counters.create(file, ServiceCounters.PLACES);
                Service service =
                        Service.start(config().withThreading(Threading.THREE), new LedgerMachine(), counters);
                ServiceClient client = TestClients.connect(service.port())) {
            client.call(payload(1));
        }
        try (CountersReader reader = CountersReader.open(file)) {
            assertThat(reader.read())
                    .filteredOn(value -> value.owner().endsWith(" ring"))
                    .extracting(value -> value.owner() + ": " + value.label())
                    .containsExactly(
                            "input ring: capacity",
                            "input ring: depth",
                            "input ring: claimed",
                            "input ring: refused",
                            "input ring: dropped",
                            "input ring: lag of the journal",
                            "input ring: lag of the logic",
                            "output ring: capacity",
                            "output ring: depth",
                            "output ring: claimed",
                            "output ring: refused",
                            "output ring: dropped",
                            "output ring: lag of the gateway");
            assertThat(reader.read())
                    .filteredOn(value -> value.owner().equals("waiting commands"))
                    .extracting(CounterValue::label, value -> value.value() > 0)
                    .containsExactly(tuple("capacity", true), tuple("depth", false));
            assertThat(reader.read())
                    .filteredOn(value -> value.type() == CounterType.LAG)
                    .allMatch(value -> value.value() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void hasTheSameStateAfterAnOrderlyRestart(Durability level) throws Exception {
        ServiceConfig config = config().withJournal(JournalConfig.at(level).withSegmentBytes(1 << 16));
        long hash;
        try (Service service = Service.start(config, new LedgerMachine());
                ServiceClient client = TestClients.connect(service.port())) {
            for (int i = 0; i < 2_000; i++) {
                client.send(payload(i));
            }
            client.call(payload(2_000));
            hash = client.status().stateHash();
        }
        try (Service service = Service.start(config, new LedgerMachine());
                ServiceClient client = TestClients.connect(service.port())) {
            assertThat(client.status().stateHash()).isEqualTo(hash);
            assertThat(client.status().replayed()).isEqualTo(2_005);
            assertThat(value(client.call(payload(5)).payload())).isEqualTo(2_002);
        }
    }

    @Test
    void sendsEventsToTheSessionThatTheyConcern() throws Exception {
        BlockingQueue<Long> events = new LinkedBlockingQueue<>();
        ReplyHandler handler = new RecordingHandler() {
            @Override
            public void onEvent(long sequence, MemorySegment memory, long offset, int length) {
                events.add(sequence);
            }
        };
        try (Service service = Service.start(config(), new LedgerMachine());
                ServiceClient client =
                        TestClients.builder(service.port()).handler(handler).connect()) {
            Reply reply = client.call(payload(LedgerMachine.NOTIFY));
            assertThat(Await.next(events)).isEqualTo(reply.sequence());
        }
    }

    @Test
    void failsACommandThatTheLogicThrowsOnAndGoesOn() throws Exception {
        try (Service service = Service.start(config(), new LedgerMachine());
                ServiceClient client = TestClients.connect(service.port())) {
            assertThatThrownBy(() -> client.call(payload(LedgerMachine.THROW)))
                    .isInstanceOf(ServiceException.class)
                    .hasMessageMatching("IllegalArgumentException: asked to throw \\(log entry \\d+\\)");
            assertThat(value(client.call(payload(LedgerMachine.TWICE)).payload()))
                    .isEqualTo(2);
            assertThat(client.call(payload(LedgerMachine.SILENT)).payload()).isEmpty();
            assertThat(value(client.call(payload(1)).payload())).isEqualTo(4);
        }
    }

    @Test
    void refusesWithATimeToComeBackWhenTooMuchWaits() throws Exception {
        ServiceConfig config = config().withLimits(limits -> limits.withMaxPending(4));
        StuckMachine stuck = new StuckMachine();
        try (Service service = Service.start(config.withThreading(Threading.THREE), stuck);
                ServiceClient client = TestClients.connect(service.port())) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            replies.add(client.send(payload(0)));
            Await.done(stuck.reached);
            for (int i = 1; i < 20; i++) {
                replies.add(client.send(payload(i)));
            }
            assertThatThrownBy(() -> replies.getLast().join())
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            BusyException.class,
                            busy -> assertThat(busy.retryAfterNanos()).isPositive());
            stuck.gate.complete(null);
            long answered = replies.stream()
                    .filter(reply -> reply.handle((r, e) -> e == null).join())
                    .count();
            assertThat(answered).isEqualTo(4);
            assertThat(service.refused()).isEqualTo(16);
        }
    }

    @Test
    void holdsAResentCommandInsteadOfRefusingItWhenTooMuchWaits() throws Exception {
        StuckMachine stuck = new StuckMachine();
        try (Service service = Service.start(
                        config().withLimits(limits -> limits.withMaxPending(4)).withThreading(Threading.THREE), stuck);
                Socket socket = new Socket("127.0.0.1", service.port())) {
            send(socket, hello(7));
            receive(socket);
            send(socket, command(MessageType.COMMAND, 1, 1));
            Await.done(stuck.reached);
            for (int i = 2; i < 10; i++) {
                byte[] resent = command(MessageType.COMMAND, i, i);
                Message.flags(MemorySegment.ofArray(resent), 0, Message.RESENT);
                send(socket, resent);
            }
            Await.until("five are accepted", () -> service.accepted() >= 5);
            stuck.gate.complete(null);
            for (int i = 1; i < 10; i++) {
                MemorySegment reply = receive(socket);
                assertThat(Message.type(reply, 0)).isEqualTo(MessageType.REPLY);
                assertThat(Message.correlation(reply, 0)).isEqualTo(i);
            }
            assertThat(service.refused()).isZero();
        }
    }

    /** One caller's mistake must not end the client for the others, nor cost them a second. */
    @Test
    void failsACommandThatTheServiceWouldNotTakeAndNoOther() throws Exception {
        try (Service service = Service.start(config(), new LedgerMachine());
                ServiceClient client = TestClients.connect(service.port())) {
            for (int length : new int[] {(16 << 10) - 47, 60_000, 100_000, 1 << 20}) {
                assertThatThrownBy(() -> client.call(new byte[length]))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("this service takes payloads from 0 to 16336 bytes, not " + length);
            }
            assertThat(value(client.call(payload(1)).payload())).isEqualTo(1);
            assertThat(client.call(new byte[(16 << 10) - 48]).sequence()).isPositive();
            assertThat(client.isOpen()).isTrue();
        }
    }

    @Test
    void namesThePortThatIsTaken() throws Exception {
        try (Service service = Service.start(config(), new LedgerMachine())) {
            ServiceConfig other = ServiceConfig.in(directory.resolve("other"))
                    .withAddress(new InetSocketAddress("127.0.0.1", service.port()));
            assertThatThrownBy(() -> Service.start(other, new LedgerMachine()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + service.port());
            assertThat(directory.resolve("other")).doesNotExist();
        }
    }

    @Test
    void namesTheHostThatThereIsNotBeforeItMakesAJournal() {
        ServiceConfig nowhere = ServiceConfig.in(directory.resolve("other"))
                .withAddress(InetSocketAddress.createUnresolved("no.such.host.invalid", 0));
        assertThatThrownBy(() -> Service.start(nowhere, new LedgerMachine()))
                .isInstanceOf(IOException.class)
                .hasMessage("there is no host no.such.host.invalid");
        assertThat(directory.resolve("other")).doesNotExist();
    }

    @Test
    void refusesASecondServiceOnTheSameFolder() throws Exception {
        try (Service service = Service.start(config(), new LedgerMachine())) {
            assertThat(service.port()).isPositive();
            assertThatThrownBy(() -> Service.start(config(), new LedgerMachine()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(directory.toString());
        }
    }

    @Test
    void endsWithTheReasonWhenTheLogicRunsOutOfWhatItNeeds() throws Exception {
        StateMachine broken = new StateMachine() {
            @Override
            public void onCommand(Request command, Output output) {
                throw new OutOfMemoryError("pretended");
            }

            @Override
            public long stateHash() {
                return 0;
            }
        };
        try (Service service = Service.start(config(), broken);
                ServiceClient client = TestClients.connect(service.port())) {
            client.send(payload(1));
            assertThatThrownBy(() -> Await.done(service.ended())).rootCause().hasMessage("pretended");
        }
    }

    @ParameterizedTest
    @EnumSource(Threading.class)
    void endsWithTheReasonAlsoWhenTheLogicFailsWhileTheServiceCloses(Threading threading) throws Exception {
        StuckMachine stuck = new StuckMachine();
        Service service = Service.start(config().withThreading(threading), stuck);
        ServiceClient client = TestClients.connect(service.port());
        client.send(payload(1));
        Await.done(stuck.reached);
        Thread closer = Thread.ofPlatform().start(service::close);
        Await.until("close waits", () -> closer.getState() == Thread.State.TIMED_WAITING);
        stuck.gate.completeExceptionally(new AssertionError("broken while closing"));
        assertThatThrownBy(() -> Await.done(service.ended())).rootCause().hasMessage("broken while closing");
        closer.join();
        client.disconnect();
    }

    @Test
    void neverForgetsASessionThatIsConnectedForANewOne() throws Exception {
        try (Service service = Service.start(
                        config().withLimits(limits -> limits.withClients(16, 2, 4096)), new LedgerMachine());
                ServiceClient first = TestClients.connect(service.port());
                ServiceClient second = TestClients.connect(service.port())) {
            TestClients.refusal(
                    TestClients.builder(service.port()).connectTimeout(Duration.ofMillis(300)),
                    "at most 2 sessions, and each of them has a client");
            assertThat(value(first.call(payload(1)).payload())).isEqualTo(1);
            assertThat(value(second.call(payload(2)).payload())).isEqualTo(2);
        }
    }

    @Test
    void forgetsTheSessionThatLostItsConnectionFirstWhenThereIsNoRoomForANewOne() throws Exception {
        try (Service service = Service.start(
                        config().withLimits(limits -> limits.withClients(16, 2, 4096)), new LedgerMachine());
                ServiceClient witness = TestClients.connect(service.port())) {
            for (int i = 1; i <= 5; i++) {
                ServiceClient next = connectWhenThereIsRoom(service);
                assertThat(value(next.call(payload(7)).payload())).isEqualTo(i);
                next.disconnect();
            }
            assertThat(witness.status().sessions()).isEqualTo(2);
        }
        assertThat(Service.replay(config().withLimits(limits -> limits.withClients(16, 2, 4096)), new LedgerMachine())
                        .sessions())
                .isEqualTo(1);
    }

    /** The service hears of the end of a connection a moment after the client does. */
    private static ServiceClient connectWhenThereIsRoom(Service service) throws IOException {
        while (true) {
            try {
                return TestClients.connect(service.port());
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("each of them has a client");
            }
        }
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20))
                .withMaxResponseTime(Duration.ofSeconds(60));
    }

    private static class RecordingHandler implements ReplyHandler {
        @Override
        public void onReply(long attachment, long sequence, MemorySegment memory, long offset, int length) {}

        @Override
        public void onFailure(long attachment, ServiceException failure) {}

        @Override
        public void onBusy(long attachment, long retryAfterNanos) {}
    }

    /** Stops at its first command until the gate opens. */
    private static final class StuckMachine implements StateMachine {
        final CompletableFuture<Void> gate = new CompletableFuture<>();
        final CompletableFuture<Void> reached = new CompletableFuture<>();

        @Override
        public void onCommand(Request command, Output output) {
            reached.complete(null);
            try {
                gate.join();
            } catch (CompletionException e) {
                throw (Error) e.getCause();
            }
        }

        @Override
        public long stateHash() {
            return 0;
        }
    }
}
