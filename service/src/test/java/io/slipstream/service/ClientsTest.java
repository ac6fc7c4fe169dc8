package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.testkit.Programs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients in other languages, against the service. */
class ClientsTest {
    private static final Path CLIENT = Path.of("../clients/python");

    /** Where {@code etc/install-test-tools} puts what makes the wheel. */
    private static final Path BUILDER = Path.of(System.getProperty("user.home"), ".cache/slipstream/test-tools/flit");

    @TempDir
    Path directory;

    @Test
    void thePythonClientKeepsWhatItPromises() throws Exception {
        Assumptions.assumeTrue(Programs.hasPython(), "there is no python3 from 3.10 on; its client is not tested");
        keepsItsPromises("");
    }

    @Test
    void thePythonClientComesAsAWheel() throws Exception {
        Assumptions.assumeTrue(Programs.hasPython(), "there is no python3 from 3.10 on; the wheel is not built");
        Assumptions.assumeTrue(Files.isDirectory(BUILDER), "there is no flit; etc/install-test-tools brings it");
        Path wheels = directory.resolve("wheels");
        Path installed = directory.resolve("installed");
        String pip = "-B -m pip --disable-pip-version-check --quiet ";
        python(
                BUILDER.toString(),
                pip + "wheel --no-deps --no-build-isolation --wheel-dir " + wheels + " " + CLIENT.toAbsolutePath());
        try (Stream<Path> built = Files.list(wheels)) {
            Path wheel = built.findAny().orElseThrow();
            assertThat(wheel.getFileName().toString()).endsWith("-py3-none-any.whl");
            python(
                    "",
                    pip + "install --root-user-action=ignore --no-deps --no-index --target " + installed + " " + wheel);
        }
        assertThat(installed.resolve("slipstream_client/aio.py")).exists();
        keepsItsPromises(installed.toString());
    }

    private void keepsItsPromises(String pythonPath) throws Exception {
        try (Service service = Service.start(config("counts"), new LedgerMachine());
                Service feeds = Service.start(config("feeds"), new FeedMachine())) {
            python(
                    pythonPath,
                    "-B " + CLIENT.resolve("tests/against_service.py") + " " + service.port() + " " + feeds.port()
                            + " ../docs/protocol/golden.txt");
        }
    }

    /** Runs Python, whose arguments have no spaces. */
    private static void python(String path, String arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(("python3 " + arguments).split(" ")).redirectErrorStream(true);
        builder.environment().put("PYTHONPATH", path);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    private ServiceConfig config(String name) {
        return ServiceConfig.in(directory.resolve(name))
                .withEvents(ServiceEvents.ignored())
                .withMaxResponseTime(Duration.ofSeconds(60))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20));
    }
}
