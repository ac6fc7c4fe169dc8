package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients in other languages, against the service. */
class ClientsTest {
    @TempDir
    Path directory;

    @Test
    void thePythonClientKeepsWhatItPromises() throws Exception {
        Assumptions.assumeTrue(hasPython(), "there is no python3 from 3.10 on; its client is not tested");
        try (Service service = Service.start(config("counts"), new LedgerMachine());
                Service feeds = Service.start(config("feeds"), new FeedMachine())) {
            Path clients = Path.of("..", "clients", "python", "tests", "against_service.py");
            Process python = new ProcessBuilder(
                            "python3",
                            "-B",
                            clients.toString(),
                            String.valueOf(service.port()),
                            String.valueOf(feeds.port()),
                            Path.of("..", "docs", "protocol", "golden.txt").toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(python.waitFor()).as(said).isZero();
        }
    }

    private ServiceConfig config(String name) {
        return ServiceConfig.in(directory.resolve(name))
                .withEvents(ServiceEvents.ignored())
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20));
    }

    private static boolean hasPython() throws InterruptedException {
        List<String> question = List.of("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))");
        try {
            return new ProcessBuilder(question).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
