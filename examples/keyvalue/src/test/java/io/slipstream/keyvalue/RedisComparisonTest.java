package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.testing.TestService;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Ports;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gives the same random commands to a real Redis and to the store, and compares the answers.
 *
 * <p>Skipped where {@code redis-server} is missing. {@code -Dkeyvalue.commands=1000000} makes it long, and
 * {@code -Dkeyvalue.seed=N} another one.
 */
@Timeout(3600)
class RedisComparisonTest {
    private static final int COMMANDS = Integer.getInteger("keyvalue.commands", 20_000);
    private static final long SEED = Long.getLong("keyvalue.seed", 1);
    private static final int BATCH = 50;

    @TempDir
    Path folder;

    @Test
    void answersAsRedisDoes() throws Exception {
        RespProtocol protocol = new RespProtocol();
        int port = Ports.free();
        Process redis = startRedis(port);
        try (Service service = Service.start(
                        ServiceConfig.in(folder.resolve("ours"))
                                .withAddress(new InetSocketAddress("127.0.0.1", 0))
                                .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                                .withMaxResponseTime(Duration.ofMinutes(1))
                                .withJournal(
                                        JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 24)),
                        KeyValueStore::new);
                RespClient theirs = connect(port, redis);
                RespClient ours = new RespClient(new Socket("127.0.0.1", service.port(protocol)))) {
            compare(theirs, ours);
        } finally {
            Await.exitCode(redis.destroyForcibly());
        }
        TestService.assertReplays(folder.resolve("ours"), KeyValueStore::new);
    }

    private static void compare(RespClient theirs, RespClient ours) throws IOException {
        RandomCommands random = new RandomCommands(new Random(SEED));
        List<String[]> history = new ArrayList<>();
        for (int done = 0; done < COMMANDS; done += BATCH) {
            List<String[]> batch = new ArrayList<>();
            for (int i = 0; i < BATCH; i++) {
                String[] command = random.next();
                batch.add(command);
                theirs.write(command);
                ours.write(command);
            }
            theirs.flush();
            ours.flush();
            for (String[] command : batch) {
                history.add(command);
                Object expected = theirs.read();
                Object answer = ours.read();
                assertThat(RandomCommands.comparable(command, answer))
                        .as(() -> "seed " + SEED + ", command " + history.size() + ": " + String.join(" ", command)
                                + "\nbefore on its keys:\n" + before(history, command))
                        .isEqualTo(RandomCommands.comparable(command, expected));
            }
        }
    }

    /** The last commands that share a word with this one: enough to see how its keys came to what they hold. */
    private static String before(List<String[]> history, String[] command) {
        StringBuilder text = new StringBuilder();
        int shown = 0;
        for (int i = history.size() - 2; i >= 0 && shown < 30; i--) {
            String[] each = history.get(i);
            boolean shares = false;
            for (int w = 1; w < each.length; w++) {
                for (int v = 1; v < command.length; v++) {
                    shares |= each[w].length() > 1 && each[w].equals(command[v]);
                }
            }
            if (shares) {
                text.insert(0, "  " + String.join(" ", each) + "\n");
                shown++;
            }
        }
        return text.toString();
    }

    private Process startRedis(int port) {
        try {
            return new ProcessBuilder(
                            "redis-server",
                            "--port",
                            Integer.toString(port),
                            "--bind",
                            "127.0.0.1",
                            "--save",
                            "",
                            "--appendonly",
                            "no",
                            "--dir",
                            folder.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            Assumptions.abort("redis-server is not installed, so there is nothing to compare with");
            throw new AssertionError("not reached", e);
        }
    }

    private static RespClient connect(int port, Process redis) throws Exception {
        Await.until("Redis listens", () -> {
            try (Socket _ = new Socket("127.0.0.1", port)) {
                return true;
            } catch (IOException e) {
                if (!redis.isAlive()) {
                    throw e;
                }
                return false;
            }
        });
        return new RespClient(new Socket("127.0.0.1", port));
    }
}
