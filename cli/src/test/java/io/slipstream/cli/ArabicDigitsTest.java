package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.ipc.ChannelSettings;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.IpcPublisher;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.log.LogSystem;
import io.slipstream.log.config.LogConfig;
import io.slipstream.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
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

    @Test
    void channelsAreListedWithTheseDigits() throws Exception {
        Path file = directory.resolve("quotes.ipc");
        try (IpcChannel channel = IpcChannel.create(file, ChannelSettings.onePublisher(1 << 16));
                IpcPublisher publisher = channel.newPublisher("publisher")) {
            publisher.publish(MemorySegment.ofArray(new byte[40]));
            says("quotes", "ipc", "list", "--folder", directory.toString());
            says("publisher", "ipc", "stat", file.toString());
        }
    }

    @Test
    void logsAreShownWithTheseDigits() throws Exception {
        try (LogSystem system = LogSystem.open(LogConfig.journal(directory))) {
            system.log("orders").info("order {} at {}, {}", 4711, 12.5, Instant.EPOCH);
        }
        says("order 4711 at 12.5, 1970-01-01T00:00:00Z", "log", "cat", directory.toString());
        says("4711", "log", "cat", "--format", "json", directory.toString());
    }

    /** As a user starts it: with a locale of the whole process, from its first class on. */
    @Test
    void aServiceSaysWhereItListens() throws Exception {
        Path said = directory.resolve("said");
        Process process = new ProcessBuilder(InterruptedCommandTest.command(
                        List.of("-Duser.language=ar", "-Duser.country=EG", "-Duser.extensions=u-nu-arab"),
                        "serve",
                        "ledger",
                        "--dir",
                        directory.resolve("ledger").toString(),
                        "--port",
                        "0",
                        "--http",
                        "0"))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            Await.until(
                    "it serves",
                    () -> !process.isAlive() || Files.readString(said).contains("Ctrl-C"));
        } finally {
            process.destroy();
        }
        assertThat(Await.exitCode(process)).as(Files.readString(said)).isZero();
        assertThat(Files.readString(said)).containsPattern("Serving the ledger on 127\\.0\\.0\\.1:[0-9]+ ");
        hasTheseDigits("serve ledger", Files.readString(said));
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
        hasTheseDigits(String.join(" ", command), said);
    }

    /** The logger of the JDK puts a line with a date in the language of the machine before each message. */
    private static void hasTheseDigits(String command, String said) {
        assertThat(said.lines()
                        .filter(line -> !line.matches(".* io\\.slipstream\\S+ \\w+"))
                        .filter(line -> line.chars().anyMatch(letter -> letter > '9' && Character.isDigit(letter))))
                .as(command)
                .isEmpty();
    }
}
