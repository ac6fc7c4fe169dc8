package io.slipstream.cli.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.sim.journal.JournalSimulation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What is printed when a promise is broken: here that of a journal that acknowledges before it has written. */
class SimulateJournalTest {
    private static final Pattern BROKEN =
            Pattern.compile("seed (\\d+): (.*)\n    again: slipstream (sim journal " + "--seed \\1 --runs 1)\n");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream before = System.out;

    @BeforeEach
    void listen() {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void stopListening() {
        System.setOut(before);
    }

    @Test
    void printsTheSeedOfEachFailureAndReplaysIt() {
        assertThat(run("--seed", "1", "--runs", "40")).isEqualTo(1);
        String text = text();
        MatchResult first = BROKEN.matcher(text).results().findFirst().orElseThrow(() -> new AssertionError(text));
        assertThat(text)
                .containsPattern("\nPROMISES BROKEN: 40 runs, \\d+ crashes, "
                        + BROKEN.matcher(text).results().count()
                        + " broken promises\n$");
        String[] again = first.group(3).split(" ");
        assertThat(run(again[2], again[3], again[4], again[5])).isEqualTo(1);
        assertThat(text())
                .startsWith("seeds " + first.group(1) + " to " + first.group(1) + "\nseed " + first.group(1)
                        + ": "
                        + first.group(2) + "\n")
                .contains("BrokenPromise: " + first.group(2))
                .contains("at io.slipstream.sim")
                .contains("PROMISES BROKEN: 1 runs");
    }

    private int run(String... arguments) {
        out.reset();
        return new CommandLine(new SimulateJournal(seed -> new JournalSimulation(seed, storage -> storage, true)))
                .execute(arguments);
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
