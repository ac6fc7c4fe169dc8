package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a command whose output cannot be written. */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
class BrokenOutputTest {
    private static final int EXIT_CODE_OF_SIGPIPE = 128 + 13;

    @TempDir
    private Path directory;

    @Test
    void aFullDiskIsAnError() throws Exception {
        assertThat(exitCode("exec \"$@\" > /dev/full")).isEqualTo(1);
        assertThat(said()).containsOnlyOnce("the output could not be written to its end");
    }

    @Test
    void aReaderThatHasSeenEnoughIsNone() throws Exception {
        assertThat(exitCode("{ \"$@\"; echo $? > code; } | true; exit $(cat code)")).isEqualTo(EXIT_CODE_OF_SIGPIPE);
        assertThat(said()).isEmpty();
    }

    /** Runs {@code slipstream --help} within {@code script}. */
    private int exitCode(String script) throws Exception {
        String own = Path.of(URI.create(Main.class.getProtectionDomain().getCodeSource().getLocation().toString())).toString();
        Process process = new ProcessBuilder("sh", "-c", script, "sh", Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-p", own + File.pathSeparator + System.getProperty("jdk.module.path"), "-m", "io.slipstream.cli/io.slipstream.cli.Main", "--help")
                .directory(directory.toFile()).redirectError(directory.resolve("said").toFile()).start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private String said() throws Exception {
        return Files.readString(directory.resolve("said"));
    }
}
