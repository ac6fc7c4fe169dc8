package io.slipstream.cli.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The services of the command live their lives without breaking a promise. */
class SimulateServicesTest {
    @ParameterizedTest
    @ValueSource(strings = {"service", "exchange", "ledger", "keyvalue"})
    void keepsItsPromisesAndWritesAPage(String service, @TempDir Path folder) throws Exception {
        Path page = folder.resolve("page.html");
        assertThat(new CommandLine(new SimCommand())
                        .execute(service, "--seed", "1", "--runs", "15", "--report", page.toString()))
                .isZero();
        assertThat(Files.readString(page)).contains("all promises kept", "RESTART", "15");
    }

    @Test
    void twoSitesKeepTheirPromises() {
        assertThat(new CommandLine(new SimCommand()).execute("sites", "--seed", "1", "--runs", "3"))
                .isZero();
    }
}
