package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.protocol.Status;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.service.testing.TestService;
import io.slipstream.testkit.ChildJvm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A store that lives long: keys of all types that expire and are evicted, snapshots one after the other, SIGKILL again
 * and again. What it holds is compared with a model while it runs, and at the end the state behind the last snapshot
 * with that of a replay from the first entry.
 *
 * <p>{@code etc/prove keyvalue} makes it long: {@code -Dkeyvalue.soak} is in seconds, {@code -Dkeyvalue.seed} repeats a
 * run's commands.
 */
@Timeout(36_000)
class SoakTest {
    private static final long SECONDS = Integer.getInteger("keyvalue.soak", 4);
    private static final long SECONDS_OF_A_PROCESS = Math.clamp(SECONDS / 4, 1, 60);
    private static final int SNAPSHOT_BYTES = SECONDS < 60 ? 1 << 20 : 1 << 23;
    private static final int KEYS = 20_000;
    private static final int BATCH = 100;
    /* The clocks of the store and of the test are one, but what is on its way takes a while. */
    private static final long SLACK_MILLIS = 1_000;
    private static final long NEVER = Long.MAX_VALUE / 2;

    @TempDir
    Path folder;

    private final long seed = Long.getLong("keyvalue.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final RandomCommands others = new RandomCommands(random);
    private final Map<String, Expected> model = new HashMap<>();

    /** What a key was set to, and between when it expires; a value that is null may be there or not. */
    private record Expected(@Nullable String value, long earliest, long latest) {}

    @ParameterizedTest
    @ValueSource(strings = {"noeviction", "allkeys-lru", "volatile-ttl"})
    void isAlwaysWhatItsLogSays(String policy) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos() / 3;
        boolean evicts = !policy.equals("noeviction");
        int lives = 0;
        do {
            lives++;
            Process process = start();
            try (RespClient client = connect(process)) {
                client.call("CONFIG", "SET", "maxmemory-policy", policy, "maxmemory", evicts ? "4mb" : "0");
                long kill = System.nanoTime()
                        + Duration.ofSeconds(SECONDS_OF_A_PROCESS).toNanos();
                while (System.nanoTime() < Math.min(kill, end)) {
                    round(client, evicts);
                }
                send(client);
                client.flush();
            } finally {
                process.destroyForcibly().waitFor();
            }
        } while (System.nanoTime() < end);
        Status loaded = TestService.assertReplays(folder, KeyValueStore::new);
        Status replayed = TestService.assertReplays(withoutSnapshots(), KeyValueStore::new);
        assertThat(replayed.sequence()).as("seed %d", seed).isEqualTo(loaded.sequence());
        assertThat(replayed.stateHash()).as("seed %d", seed).isEqualTo(loaded.stateHash());
        System.out.printf(
                Locale.ROOT,
                "%s: %,d processes were killed, and all %,d entries lead to the state that was loaded; seed %d%n",
                policy,
                lives,
                replayed.sequence(),
                seed);
    }

    private void round(RespClient client, boolean evicts) throws IOException {
        List<Runnable> answered = send(client);
        int sent = answered.size();
        int sentOthers = 0;
        while (sentOthers < 20) {
            String[] other = others.next();
            // The keys of the model stay in the first database.
            if (!other[0].equalsIgnoreCase("SWAPDB")) {
                client.write(other);
                sentOthers++;
            }
        }
        client.write("SELECT", "0");
        client.flush();
        for (Runnable each : answered) {
            Object answer = client.read();
            if (answer.equals("+OK")) {
                each.run();
            }
        }
        assertThat(sent).isEqualTo(BATCH);
        for (int i = 0; i < sentOthers; i++) {
            client.read();
        }
        assertThat(client.read()).isEqualTo("+OK");
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < BATCH / 2; i++) {
            asked.add(key());
            client.write("GET", asked.getLast());
        }
        client.flush();
        long before = System.currentTimeMillis();
        for (String key : asked) {
            check(key, client.read(), before, evicts);
        }
    }

    /** Sends a batch; what it does is unknown until the answers are there. */
    private List<Runnable> send(RespClient client) throws IOException {
        List<Runnable> answered = new ArrayList<>();
        long now = System.currentTimeMillis();
        for (int i = 0; i < BATCH; i++) {
            String key = key();
            String value = "x".repeat(random.nextInt(400)) + i;
            long millis = random.nextInt(8) == 0 ? 0 : random.nextInt(1, 30_000);
            if (millis == 0) {
                client.write("SET", key, value);
            } else {
                client.write("SET", key, value, "PX", Long.toString(millis));
            }
            model.put(key, new Expected(null, 0, NEVER));
            answered.add(() -> model.put(
                    key,
                    new Expected(
                            value,
                            millis == 0 ? NEVER : now + millis,
                            millis == 0 ? NEVER : System.currentTimeMillis() + millis)));
        }
        return answered;
    }

    private void check(String key, Object answer, long now, boolean evicts) {
        Expected expected = model.get(key);
        if (expected == null || expected.value == null) {
            return;
        }
        boolean isThere = !answer.equals("(nil)");
        if (isThere) {
            assertThat(answer).as("seed %d: %s", seed, key).isEqualTo(expected.value);
            assertThat(now).as("seed %d: %s has expired", seed, key).isLessThan(expected.latest + SLACK_MILLIS);
        } else if (!evicts) {
            assertThat(System.currentTimeMillis())
                    .as("seed %d: %s is gone", seed, key)
                    .isGreaterThan(expected.earliest - SLACK_MILLIS);
        }
    }

    private String key() {
        return "sess:" + random.nextInt(KEYS);
    }

    private Path withoutSnapshots() throws IOException {
        Path copy = Files.createDirectory(folder.resolveSibling(folder.getFileName() + "-copy"));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(each -> !each.toString().endsWith(".snapshot")).toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        return copy;
    }

    private static RespClient connect(Process process) throws IOException {
        String port = process.inputReader().readLine();
        assertThat(port).as("the store does not start").isNotNull();
        return new RespClient(new Socket("127.0.0.1", Integer.parseInt(port)));
    }

    private Process start() throws IOException {
        return ChildJvm.of(Target.class, List.of("-XX:+UseSerialGC"), folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** The process that is killed: its folder is the argument. */
    static final class Target {
        private Target() {}

        static void main(String[] args) throws Exception {
            RespProtocol resp = new RespProtocol();
            try (Service service = Service.start(
                    ServiceConfig.in(Path.of(args[0]))
                            .withAddress(new InetSocketAddress("127.0.0.1", 0))
                            .withProtocol(resp, new InetSocketAddress("127.0.0.1", 0))
                            .withMaxResponseTime(Duration.ofSeconds(60))
                            .withStateChecks(10_000)
                            .withSnapshots(SnapshotPolicy.everyLogBytes(SNAPSHOT_BYTES))
                            .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22)),
                    KeyValueStore::new)) {
                System.out.println(service.port(resp));
                service.ended().join();
            }
        }
    }
}
