package io.slipstream.service;

import io.slipstream.core.ring.FrameRing;
import io.slipstream.journal.Durability;
import io.slipstream.journal.Journal;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills the serving process with SIGKILL while a client sends, again and again. The client lives on, resumes its session
 * and resends. In the end every command must have been answered and be in the state exactly once.
 *
 * <p>{@code -Dslipstream.kills=1000} makes it long.
 */
@Timeout(3600)
class KillTest {
    private static final int KILLS = Integer.getInteger("slipstream.kills", 12);

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"SYNC", "PROCESS"})
    void everyAnsweredCommandIsThereOnceAfterAnyNumberOfKills(Durability level) throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int port = freePort();
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        AtomicLong answered = new AtomicLong();
        Process process = start(port, level);
        try (ServiceClient client = ServiceClient.builder("127.0.0.1", port).connect()) {
            for (int kill = 0; kill < KILLS; kill++) {
                long until = answered.get() + random.nextLong(200, 2_000);
                while (answered.get() < until) {
                    CompletableFuture<Reply> reply = client.send(payload(replies.size()));
                    replies.add(reply.whenComplete((r, e) -> answered.incrementAndGet()));
                }
                process.destroyForcibly().waitFor();
                process = start(port, level);
            }
            int commands = replies.size();
            for (int i = 0; i < commands; i++) {
                assertThat(answer(replies.get(i))).as("seed %d, command %d", seed, i).isNull();
            }
            for (int i = 0; i < commands; i += 13) {
                assertThat(value(client.query(payload(i)).payload())).as("seed %d, command %d", seed, i).isEqualTo(1);
            }
            assertThat(value(client.call(payload(commands)).payload())).as("seed %d", seed).isEqualTo(commands + 1);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static Throwable answer(CompletableFuture<Reply> reply) throws Exception {
        try {
            reply.get(30, TimeUnit.SECONDS);
            return null;
        } catch (java.util.concurrent.ExecutionException e) {
            return e.getCause() instanceof ServiceException ? e.getCause() : e;
        }
    }

    private Process start(int port, Durability level) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto",
                "-cp", classPath(), KillTarget.class.getName(), directory.toString(), Integer.toString(port),
                level.name()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String said = process.inputReader().readLine();
        if (!"ready".equals(said)) {
            throw new IOException("the service did not start; it said " + said);
        }
        return process;
    }

    /** The product as this test runs on it, and the classes of the tests. */
    private static String classPath() {
        return String.join(File.pathSeparator, location(FrameRing.class), location(Journal.class),
                location(Service.class), Path.of("target", "test-classes").toAbsolutePath().toString());
    }

    private static String location(Class<?> type) {
        return Path.of(java.net.URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()))
                .toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
