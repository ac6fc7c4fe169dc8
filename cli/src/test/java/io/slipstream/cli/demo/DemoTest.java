package io.slipstream.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole demo, short. How fast it was is nothing for a test; what was lost or done twice is. */
class DemoTest {
    @TempDir
    Path directory;

    @Test
    void losesNothingAndAppliesNothingTwice() throws Exception {
        StringWriter said = new StringWriter();
        new Demo(new Demo.Settings(directory, "SYNC", 3_000, 1, 2, 7), new PrintWriter(said, true)).run();
        assertThat(said.toString())
                .contains("holds           every command offered got its answer")
                .contains("holds           every acknowledged order is in the log once")
                .contains("holds           an independent replay comes to the same state")
                .contains("holds           SIGTERM ends it in order")
                .contains("holds           overloaded, it answers or refuses every command");
    }

    @Test
    void theExchangeEndsWithTheOneWhoStartedIt() throws Exception {
        try (ServerProcess server = ServerProcess.launch(directory, 0, "PROCESS", List.of())) {
            server.awaitServing(line -> {});
            assertThat(server.abandon()).isZero();
        }
    }

    @Test
    void interruptedBeforeTheExchangeServesItLeavesNoProcessBehind() throws Exception {
        Set<ProcessHandle> before = ProcessHandle.current().descendants().collect(Collectors.toSet());
        StringWriter said = new StringWriter();
        Demo demo = new Demo(new Demo.Settings(directory, "PROCESS", 3_000, 1, 2, 7), new PrintWriter(said, true));
        CompletableFuture<Boolean> running = CompletableFuture.supplyAsync(() -> {
            try {
                return demo.run();
            } catch (IOException | InterruptedException e) {
                return false;
            }
        });
        Set<ProcessHandle> started = new HashSet<>();
        while (started.isEmpty()) {
            ProcessHandle.current()
                    .children()
                    .filter(child -> !before.contains(child))
                    .forEach(started::add);
            assertThat(running).isNotDone();
        }

        demo.interrupt();

        assertThat(running).succeedsWithin(Await.PATIENCE).isEqualTo(false);
        assertThat(said.toString()).contains("Interrupted. Verdicts so far");
        ProcessHandle.current()
                .children()
                .filter(child -> !before.contains(child))
                .forEach(started::add);
        assertThat(started).allSatisfy(child -> assertThat(child.onExit()).succeedsWithin(Await.PATIENCE));
    }
}
