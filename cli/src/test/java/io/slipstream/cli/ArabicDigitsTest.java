package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Programs read what commands say, and their digits are the same wherever the machine stands. */
@ResourceLock(Resources.LOCALE)
@ResourceLock(Resources.SYSTEM_OUT)
class ArabicDigitsTest {
    private final Locale before = Locale.getDefault();

    @TempDir
    Path directory;

    @BeforeEach
    void goToEgypt() {
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        assertThat(String.format("%d", 7)).as("the digits of this machine").isNotEqualTo("7");
    }

    @AfterEach
    void comeBack() {
        Locale.setDefault(before);
    }

    @Test
    void commandsSayTheDigitsThatProgramsRead() throws Exception {
        try (Journal journal = Journal.open(directory, JournalConfig.at(Durability.PROCESS))) {
            assertThat(journal.nextSequence()).isEqualTo(1);
        }
        says("records 0", "journal", "stat", directory.toString());
        says("good", "journal", "verify", directory.toString());
        says("segment", "journal", "index", directory.toString());
        says("B3", "lab", "list");
        says("B3", "lab", "explain", "B3");
        says("CPU", "topology");
    }

    /** Some commands have a writer, and some print to the standard output. */
    private void says(String expected, String... command) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        StringWriter written = new StringWriter();
        PrintStream usual = System.out;
        try {
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            Main.commandLine()
                    .setOut(new PrintWriter(written, true))
                    .setErr(new PrintWriter(written, true))
                    .execute(command);
        } finally {
            System.setOut(usual);
        }
        String said = written + printed.toString(StandardCharsets.UTF_8);
        assertThat(said).as(String.join(" ", command)).contains(expected);
        assertThat(said.chars().filter(letter -> letter > '9' && Character.isDigit(letter)))
                .as(String.join(" ", command))
                .isEmpty();
    }
}
