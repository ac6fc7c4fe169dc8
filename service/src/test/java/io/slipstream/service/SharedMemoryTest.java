package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.ipc.IpcChannel;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.net.MemoryLink;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A service whose clients come through shared memory. {@code -Dslipstream.memory.kills=500} kills so many services and
 * clients.
 */
class SharedMemoryTest {
    private static final int KILLS = Integer.getInteger("slipstream.memory.kills", 3);

    @TempDir
    Path directory;

    private Path door;

    @BeforeEach
    void choose() {
        door = directory.resolve("s.ipc");
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory.resolve("journal"))
                .withSharedMemory(door)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20))
                .withMaxResponseTime(Duration.ofSeconds(60));
    }

    private List<Path> filesOfTheDoor() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith("s."))
                    .toList();
        }
    }

    @ParameterizedTest
    @EnumSource(Threading.class)
    void answersPipelinedCommandsInOrderOnAnyNumberOfThreads(Threading threading) throws Exception {
        try (Service service = Service.start(config().withThreading(threading), new LedgerMachine());
                ServiceClient client = TestClients.builder(door).connect();
                ServiceClient overTcp = TestClients.connect(service.port())) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                replies.add(client.send(payload(i)));
            }
            for (int i = 0; i < replies.size(); i++) {
                assertThat(value(Await.done(replies.get(i)).payload())).isEqualTo(i + 1);
            }
            assertThat(value(overTcp.query(payload(17)).payload())).isEqualTo(1);
            assertThat(Files.getPosixFilePermissions(directory.resolve("s.socket")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
        assertThat(filesOfTheDoor()).isEmpty();
    }

    @Test
    void carriesTheLongestCommandsAndAnswersWhateverTheRingHolds() throws Exception {
        try (Service service = Service.start(
                        config().withLimits(limits -> limits.withMaxFrameLength(1 << 19)), new EchoMachine());
                ServiceClient client =
                        TestClients.builder(door).windowBytes(1 << 20).connect()) {
            for (int length : new int[] {0, 1, 16_383, 16_384, 65_536, 100_000, 262_000}) {
                byte[] command = new byte[length];
                Arrays.fill(command, (byte) length);
                List<CompletableFuture<Reply>> replies = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    replies.add(client.send(command));
                }
                for (CompletableFuture<Reply> reply : replies) {
                    assertThat(Await.done(reply).payload()).isEqualTo(command);
                }
            }
            assertThat(service.accepted()).isPositive();
        }
    }

    @Test
    void refusesAsBusyWhatCannotBeDoneInTime() throws Exception {
        ServiceConfig config = config().withThreading(Threading.THREE).withLimits(limits -> limits.withMaxPending(8));
        CompletableFuture<Service> started = new CompletableFuture<>();
        try (Service service = Service.start(config, LedgerMachine.untilRefusal(started));
                ServiceClient client = TestClients.builder(door).connect()) {
            started.complete(service);
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                replies.add(client.send(payload(i)));
            }
            int applied = 0;
            for (CompletableFuture<Reply> reply : replies) {
                applied += wasApplied(reply) ? 1 : 0;
            }
            assertThat(service.refused()).isEqualTo(5_000 - applied).isPositive();
            assertThat(value(client.query(payload(1)).payload())).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void aClientOutlivesARestartOfTheService() throws Exception {
        Service service = Service.start(config(), new LedgerMachine());
        try (ServiceClient client = TestClients.builder(door).connect()) {
            client.call(payload(1));
            service.close();
            CompletableFuture<Reply> reply = client.send(payload(2));
            try (Service _ = Service.start(config(), new LedgerMachine())) {
                assertThat(value(Await.done(reply).payload())).isEqualTo(2);
            }
        }
    }

    @Test
    void saysThatADoorIsTakenAndThatNobodyIsBehindOne() throws Exception {
        try (Service _ = Service.start(config(), new LedgerMachine())) {
            ServiceConfig second = ServiceConfig.in(directory.resolve("second")).withSharedMemory(door);
            assertThatThrownBy(() -> Service.start(second, new LedgerMachine()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("it is for one publisher")
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
        }
        TestClients.refusal(
                TestClients.builder(door).connectTimeout(Duration.ofMillis(200)),
                "cannot connect to " + door + " within 0.2 s",
                "cannot reach a service by shared memory");
    }

    @Test
    void anAddressSaysHostAndPortOrADoor() throws Exception {
        Path named =
                IpcChannel.named("slipstream-test-" + ProcessHandle.current().pid());
        try (Service service = Service.start(config().withSharedMemory(named), new LedgerMachine());
                ServiceClient byMemory = ServiceClient.builder(
                                "ipc:slipstream-test-" + ProcessHandle.current().pid())
                        .connect();
                ServiceClient byTcp =
                        ServiceClient.builder("127.0.0.1:" + service.port()).connect()) {
            assertThat(value(byMemory.call(payload(1)).payload())).isEqualTo(1);
            assertThat(value(byTcp.call(payload(1)).payload())).isEqualTo(2);
        }
        assertThatThrownBy(() -> ServiceClient.builder("7500"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the address of a service is HOST:PORT or ipc:NAME, not 7500");
    }

    @Test
    void closesTheConnectionOfWhateverIsNoClient() throws Exception {
        try (Service _ = Service.start(config(), new LedgerMachine());
                ServiceClient client = TestClients.builder(door).connect()) {
            for (byte[] knock : new byte[][] {new byte[16], "SLIPLNK1nofiles!".getBytes(), new byte[100]}) {
                try (SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                    socket.connect(UnixDomainSocketAddress.of(directory.resolve("s.socket")));
                    socket.write(ByteBuffer.wrap(knock));
                    assertThat(readToTheEnd(socket)).isTrue();
                }
            }
            assertThat(value(client.call(payload(1)).payload())).isEqualTo(1);
        }
    }

    /** The service may also reset a socket of which it has not read everything. */
    private static boolean readToTheEnd(SocketChannel socket) {
        try {
            return socket.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void everyAnsweredCommandIsThereOnceAfterAnyNumberOfKillsOfTheService() throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        List<String> target = List.of(directory.resolve("journal").toString(), door.toString(), "PROCESS");
        Process process = KillTarget.start(KillTarget.class, target);
        try (ServiceClient client = TestClients.builder(door).connect()) {
            for (int kill = 0; kill < KILLS; kill++) {
                int most = replies.size() + 200 + random.nextInt(3_000);
                while (replies.size() < most) {
                    replies.add(client.send(payload(replies.size())));
                }
                process.destroyForcibly().waitFor();
                process = KillTarget.start(KillTarget.class, target);
            }
            int applied = 0;
            for (int i = 0; i < replies.size(); i++) {
                boolean wasApplied = wasApplied(replies.get(i));
                applied += wasApplied ? 1 : 0;
                if (!wasApplied || i % 13 == 0) {
                    assertThat(value(client.query(payload(i)).payload()))
                            .as("seed %d, command %d", seed, i)
                            .isEqualTo(wasApplied ? 1 : 0);
                }
            }
            assertThat(value(client.call(payload(replies.size())).payload()))
                    .as("seed %d", seed)
                    .isEqualTo(applied + 1);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void killedClientsHoldNobodyUpAndLeaveNoFiles() throws Exception {
        try (Service _ = Service.start(
                        config().withLimits(limits -> limits.withClients(2, 16, 1 << 12)), new LedgerMachine());
                ServiceClient survivor = TestClients.builder(door).connect()) {
            int own = filesOfTheDoor().size();
            for (int kill = 0; kill < 2 * KILLS; kill++) {
                Process client = KillTarget.start(MemoryClientProcess.class, List.of(door.toString()));
                assertThat(filesOfTheDoor()).hasSize(own + 2);
                client.destroyForcibly().waitFor();
                assertThat(survivor.call(payload(1 + kill)).payload()).hasSize(Long.BYTES);
                Await.until("the files are gone", () -> filesOfTheDoor().size() <= own);
            }
        }
        assertThat(filesOfTheDoor()).isEmpty();
    }

    /** The kernel says "reset" of a client that died with bytes unread, and not that the stream has ended. */
    @Test
    void aClientThatDiedBeforeItReadItsBellsLeavesNoFiles() throws Exception {
        try (Service _ = Service.start(config(), new LedgerMachine());
                Selector selector = Selector.open()) {
            MemoryLink client = MemoryLink.knock(door, 1);
            assertThat(filesOfTheDoor()).hasSize(4);
            client.socket().write(ByteBuffer.wrap(new byte[] {'R'}));
            SelectionKey key = client.socket().register(selector, SelectionKey.OP_READ);
            assertThat(selector.select(Await.PATIENCE.toMillis())).isOne();
            key.cancel();
            selector.selectNow();
            client.socket().close();
            Await.until("the files are gone", () -> filesOfTheDoor().size() <= 2);
            client.close();
        }
    }

    @Test
    void aStartRemovesWhatAServiceAndAClientHaveLeftThatWereKilledTogether() throws Exception {
        Process process = KillTarget.start(
                KillTarget.class, List.of(directory.resolve("journal").toString(), door.toString(), "PROCESS"));
        Process client = KillTarget.start(MemoryClientProcess.class, List.of(door.toString()));
        new ProcessBuilder("kill", "-STOP", "" + client.pid()).start().waitFor();
        process.destroyForcibly().waitFor();
        client.destroyForcibly().waitFor();
        assertThat(filesOfTheDoor()).hasSize(4);
        try (Service _ = Service.start(config(), new LedgerMachine())) {
            assertThat(filesOfTheDoor()).hasSize(2);
        }
        assertThat(filesOfTheDoor()).isEmpty();
    }

    private static boolean wasApplied(CompletableFuture<Reply> reply) throws Exception {
        try {
            Await.done(reply);
            return true;
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(BusyException.class);
            return false;
        }
    }
}
