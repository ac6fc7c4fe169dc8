package io.slipstream.cli.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    @ParameterizedTest
    @ValueSource(strings = {"sites", "cluster"})
    void severalProcessesKeepTheirPromises(String world) {
        assertThat(new CommandLine(new SimCommand()).execute(world, "--seed", "1", "--runs", "3"))
                .isZero();
    }

    @Test
    void aHistoryHasALineForEachRunAndAPageOfAll(@TempDir Path folder) throws Exception {
        Path nights = folder.resolve("nights");
        for (String seed : List.of("1", "7")) {
            assertThat(run("sites", "--seed", seed, "--runs", "2", "--soak", nights.toString()))
                    .isZero();
        }
        Path lines = nights.resolve("history.csv");
        assertThat(Files.readAllLines(lines)).hasSize(3).element(2).asString().contains(",sites,", ",7,2,", ",0,");
        assertThat(Files.readString(nights.resolve("index.html"))).contains("2 runs, 4 lives", "0 broken promises");
        Files.writeString(lines, "another file\n");
        assertThat(run("sites", "--runs", "1", "--soak", nights.toString())).isNotZero();
        assertThat(lines).hasContent("another file\n");
    }

    private static int run(String... arguments) {
        return new CommandLine(new SimCommand()).execute(arguments);
    }
}
