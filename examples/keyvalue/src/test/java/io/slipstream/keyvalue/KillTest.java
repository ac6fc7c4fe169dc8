package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.service.testing.TestService;
import io.slipstream.testkit.Await;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the serving process with SIGKILL while a client sends, and {@code redis-benchmark} beside it where that is
 * installed, again and again. What was answered must be there afterwards: each value that was set, transactions whole,
 * and nothing that had expired.
 *
 * <p>{@code -Dkeyvalue.kills=1000} makes it long.
 */
@Timeout(36_000)
class KillTest {
    private static final int KILLS = Integer.getInteger("keyvalue.kills", 2);

    @TempDir
    Path folder;

    /** What the client has been answered. */
    private static final class Answered {
        private int values;
        private long transactions;
        private int timed;
        private final List<String> expired = new ArrayList<>();
    }

    /** A store in a process of its own: its folder is the argument. */
    static final class Target {
        private Target() {}

        static void main(String[] args) throws Exception {
            RespProtocol resp = new RespProtocol();
            try (Service service = Service.start(
                    ServiceConfig.in(Path.of(args[0]))
                            .withAddress(new InetSocketAddress("127.0.0.1", 0))
                            .withProtocol(resp, new InetSocketAddress("127.0.0.1", 0))
                            .withMaxResponseTime(Duration.ofSeconds(60))
                            .withSnapshots(SnapshotPolicy.everyLogBytes(1 << 21))
                            .withJournal(JournalConfig.at(Durability.SYNC).withSegmentBytes(1 << 20)),
                    KeyValueStore::new)) {
                System.out.println(service.port(resp));
                service.ended().join();
            }
        }
    }

    @Test
    void whatWasAnsweredIsThereAfterAnyNumberOfKills() throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Answered answered = new Answered();
        for (int kill = 0; kill <= KILLS; kill++) {
            Process process = start();
            Process load = null;
            try {
                int port = Integer.parseInt(process.inputReader().readLine());
                check(port, answered, "seed " + seed + ", kill " + kill);
                if (kill < KILLS) {
                    load = load(port);
                    send(port, answered, random.nextInt(50, 200));
                }
            } finally {
                Await.exitCode(process.destroyForcibly());
                if (load != null) {
                    Await.exitCode(load.destroyForcibly());
                }
            }
        }
        assertThat(answered.values).isGreaterThanOrEqualTo(50 * KILLS);
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    /** Sends some rounds, and ends in the middle of one that nobody waits for. */
    private static void send(int port, Answered answered, int rounds) throws Exception {
        try (RespClient client = new RespClient(new Socket("127.0.0.1", port))) {
            for (int round = 0; round < rounds; round++) {
                int value = answered.values;
                boolean expires = round % 100 == 0;
                write(client, value, expires);
                client.flush();
                assertThat(client.read()).isEqualTo("+OK");
                answered.values++;
                assertThat(List.of(client.read(), client.read(), client.read())).doesNotContain("(nil)");
                assertThat(client.read())
                        .asInstanceOf(InstanceOfAssertFactories.LIST)
                        .hasSize(2);
                answered.transactions++;
                assertThat(client.read()).isEqualTo("+OK");
                answered.timed++;
                if (expires) {
                    String key = "short" + value;
                    assertThat(client.read()).isEqualTo("+OK");
                    Await.until(key + " expires", () -> "(nil)".equals(client.call("GET", key)));
                    answered.expired.add(key);
                }
            }
            for (int i = 0; i < 50; i++) {
                write(client, answered.values + i, false);
            }
            client.flush();
        }
    }

    private static void write(RespClient client, int value, boolean expires) throws IOException {
        client.write("SET", "key" + value, "value" + value);
        client.write("MULTI");
        client.write("INCR", "first");
        client.write("RPUSH", "second", Integer.toString(value));
        client.write("EXEC");
        client.write("SET", "timed" + value, "x", "EX", "100000");
        if (expires) {
            client.write("SET", "short" + value, "x", "PX", "5");
        }
    }

    private static void check(int port, Answered answered, String when) throws IOException {
        try (RespClient client = new RespClient(new Socket("127.0.0.1", port))) {
            for (int i = 0; i < answered.values; i++) {
                assertThat(client.call("GET", "key" + i))
                        .as("%s: key %d", when, i)
                        .isEqualTo("value" + i);
            }
            for (int i = Math.max(0, answered.timed - 100); i < answered.timed; i++) {
                assertThat((Long) client.call("TTL", "timed" + i))
                        .as("%s: timed %d", when, i)
                        .isBetween(1L, 100_000L);
            }
            for (String key : answered.expired) {
                assertThat(client.call("EXISTS", key)).as("%s: %s", when, key).isEqualTo(0L);
            }
            Object first = client.call("GET", "first");
            long sum = first.equals("(nil)") ? 0 : Long.parseLong((String) first);
            assertThat(client.call("LLEN", "second"))
                    .as("%s: half a transaction", when)
                    .isEqualTo(sum);
            assertThat(sum).as("%s: transactions", when).isGreaterThanOrEqualTo(answered.transactions);
        }
    }

    private Process start() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String modules = System.getProperty("jdk.module.path", "");
        String path = System.getProperty("java.class.path")
                + File.pathSeparator
                + modules
                + File.pathSeparator
                + Path.of("target", "test-classes");
        return new ProcessBuilder(List.of(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-cp",
                        path,
                        Target.class.getName(),
                        folder.toString()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Starts {@code redis-benchmark} beside it, on keys of its own; null where it is not installed. */
    private static @Nullable Process load(int port) {
        try {
            return new ProcessBuilder(
                            "redis-benchmark",
                            "-p",
                            Integer.toString(port),
                            "-t",
                            "set,incr,lpush",
                            "-n",
                            "100000000",
                            "-c",
                            "10",
                            "-P",
                            "16",
                            "-r",
                            "1000",
                            "-q")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            return null;
        }
    }
}
