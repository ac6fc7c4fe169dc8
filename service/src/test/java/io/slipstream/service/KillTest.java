package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kills the serving process with SIGKILL while a client sends, again and again. The client lives on, resumes its
 * session and resends. In the end every command that was answered must be in the state exactly once, and one that was
 * refused, because the new process was too slow for what came, not at all.
 *
 * <p>{@code -Dslipstream.kills=1000} makes it long.
 */
class KillTest {
    private static final int KILLS = Integer.getInteger("slipstream.kills", 3);

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"SYNC, ", "PROCESS, snapshots", "PROCESS, gateways"})
    void everyAnsweredCommandIsThereOnceAndARefusedOneNotAfterAnyNumberOfKills(Durability level, @Nullable String kind)
            throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int port = Ports.free();
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        AtomicLong answered = new AtomicLong();
        Process process = start(port, level, kind);
        try (ServiceClient client = TestClients.builder(port).connect()) {
            for (int kill = 0; kill < KILLS; kill++) {
                long until = answered.get() + random.nextLong(200, 2_000);
                while (answered.get() < until) {
                    CompletableFuture<Reply> reply = client.send(payload(replies.size()));
                    replies.add(reply.whenComplete((r, e) -> answered.incrementAndGet()));
                }
                process.destroyForcibly().waitFor();
                process = start(port, level, kind);
            }
            int commands = replies.size();
            int applied = 0;
            for (int i = 0; i < commands; i++) {
                boolean wasApplied = wasApplied(replies.get(i), "seed " + seed + ", command " + i);
                applied += wasApplied ? 1 : 0;
                if (!wasApplied || i % 13 == 0) {
                    assertThat(value(client.query(payload(i)).payload()))
                            .as("seed %d, command %d", seed, i)
                            .isEqualTo(wasApplied ? 1 : 0);
                }
            }
            assertThat(applied).as("seed %d", seed).isGreaterThan(KILLS * 100);
            assertThat(value(client.call(payload(commands)).payload()))
                    .as("seed %d", seed)
                    .isEqualTo(applied + 1);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static boolean wasApplied(CompletableFuture<Reply> reply, String which) throws Exception {
        try {
            Await.done(reply);
            return true;
        } catch (ExecutionException e) {
            assertThat(e.getCause()).as(which).isInstanceOf(BusyException.class);
            return false;
        }
    }

    private Process start(int port, Durability level, @Nullable String kind) throws IOException {
        return kind == null
                ? KillTarget.start(directory, port, level.name())
                : KillTarget.start(directory, port, level.name(), kind);
    }
}
