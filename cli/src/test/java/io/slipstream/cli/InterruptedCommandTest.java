package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM does what Ctrl-C does, but for the number in the exit code, and is not ignored in the background. */
@EnabledOnOs(OS.LINUX)
class InterruptedCommandTest {
    private static final int EXIT_CODE_OF_SIGTERM = 128 + 15;

    @TempDir
    private Path directory;

    @Test
    void jitterShowsWhatItHasMeasured() throws Exception {
        assertThat(interrupted("watching CPU", "jitter", "--seconds", "3000")).contains("gaps/s", "interrupted after");
    }

    @Test
    void aSimulationShowsHowManyRunsItHasDone() throws Exception {
        assertThat(interrupted("seeds 1 to", "sim", "journal", "--seed", "1", "--runs", "1000000000"))
                .containsPattern("interrupted: \\d+ runs, \\d+ crashes, 0 broken promises");
    }

    /** As {@code slipstream sim ... | head} does: whoever reads has enough, and leaves. */
    @Test
    void endsQuietlyWhenItsReaderHasGone() throws Exception {
        Path errors = directory.resolve("errors");
        Process process = new ProcessBuilder(command("lab", "list"))
                .redirectError(errors.toFile())
                .start();
        try {
            process.getInputStream().close();
            assertThat(Await.exitCode(process)).isEqualTo(Output.READER_GONE);
        } finally {
            process.destroyForcibly();
        }
        assertThat(errors).isEmptyFile();
    }

    /** Ends the command when it has said {@code begin}; returns all that it has said. */
    private String interrupted(String begin, String... arguments) throws Exception {
        Path said = directory.resolve("said");
        Process process = new ProcessBuilder(command(arguments))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            while (!Files.readString(said).contains(begin)) {
                assertThat(process.isAlive()).as(Files.readString(said)).isTrue();
                TimeUnit.MILLISECONDS.sleep(5);
            }
            process.destroy();
            assertThat(Await.exitCode(process)).isEqualTo(EXIT_CODE_OF_SIGTERM);
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(said);
    }

    private static List<String> command(String... arguments) {
        return command(List.of(), arguments);
    }

    /** @param options of the JVM */
    static List<String> command(List<String> options, String... arguments) {
        String own = Path.of(URI.create(Main.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-p",
                own + File.pathSeparator + System.getProperty("jdk.module.path"),
                "-m",
                "io.slipstream.cli/io.slipstream.cli.Main"));
        command.addAll(List.of(arguments));
        return command;
    }
}
