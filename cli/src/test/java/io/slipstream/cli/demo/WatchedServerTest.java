package io.slipstream.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.Main;
import io.slipstream.core.counters.CounterValue;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.counters.CountersReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedServerTest {
    @TempDir
    private Path directory;

    @Test
    void topShowsARunningServerAndWhatAKilledOneLastDid() throws Exception {
        ServerProcess server = start();
        String pid = Long.toString(server.pid());
        try (CountersReader reader = CountersReader.open(Counters.defaultFile(server.pid()))) {
            assertThat(Main.run("top", pid, "--once")).isZero();
            assertThat(reader.isAlive()).isTrue();
            server.kill();
            assertThat(reader.isAlive()).isFalse();
            assertThat(reader.read())
                    .extracting(CounterValue::owner)
                    .contains("input ring", "output ring", "commands", "thread service");
        } finally {
            server.kill();
        }
        assertThat(Main.run("top", pid)).isZero();
        server.forget();
        assertThat(Main.run("top", pid, "--once")).isEqualTo(1);
    }

    @Test
    void anOrderlyEndLeavesNoCounters() throws Exception {
        ServerProcess server = start();
        assertThat(Counters.defaultFile(server.pid())).exists();
        assertThat(server.stop()).isZero();
        assertThat(Counters.defaultFile(server.pid())).doesNotExist();
    }

    private ServerProcess start() throws IOException {
        ServerProcess server = ServerProcess.launch(directory, 0, "SYNC", List.of("--threads", "2"));
        server.awaitServing(_ -> {});
        return server;
    }
}
