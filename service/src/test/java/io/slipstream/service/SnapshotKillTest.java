package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.service.testing.TestService;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Ports;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Snapshots on a bad day: killed while one is written, and damaged afterwards.
 *
 * <p>{@code -Dslipstream.kills=1000} makes it long.
 */
class SnapshotKillTest {
    private static final int KILLS = Integer.getInteger("slipstream.kills", 2);

    @TempDir
    Path directory;

    /** The child takes snapshots one after the other, and trims what they make needless. */
    @Test
    @Timeout(600)
    void aKillWhileASnapshotIsWrittenLosesNothingAndRepeatsNothing() throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int port = Ports.free();
        Process process = start(port);
        long sum = 0;
        int commands = 0;
        try (ServiceClient client = TestClients.builder(port).connect()) {
            for (int kill = 0; kill < KILLS; kill++) {
                List<CompletableFuture<Reply>> replies = new ArrayList<>();
                for (int left = random.nextInt(100, 1_500); left > 0; left--) {
                    sum += commands;
                    replies.add(client.send(payload(commands++)));
                }
                // Those of the first half are answered; the others are resent to the next process.
                Await.done(replies.get(replies.size() / 2));
                process.destroyForcibly().waitFor();
                process = start(port);
                for (CompletableFuture<Reply> reply : replies) {
                    Await.done(reply);
                }
                assertThat(value(client.query(payload(0)).payload()))
                        .as("seed %d", seed)
                        .isEqualTo(sum);
            }
            assertThat(value(client.call(payload(0)).payload()))
                    .as("seed %d", seed)
                    .isEqualTo(commands + 1);
            // Every process may have died before its first snapshot was whole; the last one lives until there is one.
            while (snapshots().isEmpty()) {
                client.call(payload(0));
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        TestService.assertReplays(directory, SavedTotal::new);
    }

    @Test
    void fallsBackToTheSnapshotBeforeWhenTheNewestIsDamagedAndToTheLogWhenBothAre() throws Exception {
        long hash = writeTwoSnapshots();
        List<Path> snapshots = snapshots();
        assertThat(snapshots).hasSize(2);
        assertThat(loaded(hash)).containsExactly(sequence(snapshots.getLast()));
        damage(snapshots.getLast());
        assertThat(loaded(hash)).containsExactly(sequence(snapshots.getFirst()));
        damage(snapshots.getFirst());
        assertThat(loaded(hash)).isEmpty();
    }

    /** The first snapshots leave nothing to remove, so it takes trimming behind later ones as well. */
    @Test
    @Timeout(120)
    void trimsTheLogBehindEachSnapshotAndSaysWhatIsMissingWhenAllOfThemAreDamaged() throws Exception {
        writeTwoSnapshots();
        Path first = directory.resolve(firstSegment());
        try (Service service = Service.start(
                        config().withSnapshots(SnapshotPolicy.onDemand().withLogKept(Duration.ZERO)), SavedTotal::new);
                ServiceClient client = connect(service)) {
            Await.done(service.snapshot());
            for (int i = 0; i < 3; i++) {
                for (int each = 0; each < 1_000; each++) {
                    client.send(payload(1));
                }
                client.call(payload(1));
                Await.done(service.snapshot());
            }
            while (Files.exists(first)) {
                client.call(payload(1));
            }
        }
        for (Path snapshot : snapshots()) {
            damage(snapshot);
        }
        assertThatThrownBy(() -> Service.start(config(), SavedTotal::new))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the log begins with entry")
                .hasMessageContaining("put the segments before back");
    }

    private long writeTwoSnapshots() throws Exception {
        try (Service service = Service.start(config(), SavedTotal::new);
                ServiceClient client = connect(service)) {
            for (int round = 0; round < 2; round++) {
                for (int i = 1; i <= 100; i++) {
                    client.call(payload(i));
                }
                Await.done(service.snapshot());
            }
            client.call(payload(7));
            return client.status().stateHash();
        }
    }

    /** Starts, checks the state, and returns behind which entries a snapshot was loaded. */
    private List<Long> loaded(long hash) throws Exception {
        List<Long> loaded = new CopyOnWriteArrayList<>();
        ServiceEvents events = new ServiceEvents() {
            @Override
            public void onSnapshotLoad(long sequence, long bytes) {
                loaded.add(sequence);
            }
        };
        try (Service service = Service.start(config().withEvents(events), SavedTotal::new);
                ServiceClient client = connect(service)) {
            assertThat(client.status().stateHash()).isEqualTo(hash);
        }
        return loaded;
    }

    private static void damage(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            long middle = channel.size() / 2;
            channel.read(one, middle);
            one.put(0, (byte) (one.get(0) ^ 1)).flip();
            channel.write(one, middle);
        }
    }

    private String firstSegment() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".journal"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }

    private List<Path> snapshots() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".snapshot"))
                    .sorted()
                    .toList();
        }
    }

    private static long sequence(Path snapshot) {
        return Long.parseLong(snapshot.getFileName().toString().replaceAll("\\D", ""));
    }

    private ServiceConfig config() {
        return config(directory).withEvents(ServiceEvents.ignored());
    }

    private static ServiceConfig config(Path folder) {
        return ServiceConfig.in(folder)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 16))
                .withMaxResponseTime(Duration.ofSeconds(60));
    }

    private static ServiceClient connect(Service service) throws IOException {
        return TestClients.connect(service.port());
    }

    private Process start(int port) throws IOException {
        return KillTarget.start(Target.class, List.of(directory.toString(), Integer.toString(port)));
    }

    /** The process that is killed. */
    static final class Target {
        private Target() {}

        static void main(String[] args) throws Exception {
            ServiceConfig config = config(Path.of(args[0]))
                    .withAddress(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[1])))
                    .withSnapshots(SnapshotPolicy.everyLogBytes(1).withLogKept(Duration.ZERO));
            try (Service service = Service.start(config, SavedTotal::new)) {
                System.out.println("ready");
                service.ended().join();
            }
        }
    }
}
