package io.slipstream.cli.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unit in {@code examples/operations}, as systemd's own checks see it. */
class SystemdUnitTest {
    private static final Path ANALYZE = Path.of("/usr/bin/systemd-analyze");
    private static final Path UNIT = Path.of("..", "examples", "operations", "slipstream.service");

    @TempDir
    private Path folder;

    @Test
    void hasNoWordThatSystemdDoesNotKnow() throws Exception {
        // systemd also requires that the program is there.
        Path unit = Files.writeString(
                folder.resolve("slipstream.service"),
                Files.readString(UNIT).replace("/opt/slipstream/bin/slipstream", "/bin/true"));
        assertThat(said("verify", unit.toString())).startsWith("0: ").doesNotContain("slipstream.service:");
    }

    /** Out of 10, which is no restriction at all; systemd calls what is below 2 OK. */
    @Test
    void takesFromTheServiceWhatItDoesNotNeed() throws Exception {
        assertThat(said("security", "--offline=true", "--threshold=20", UNIT.toString()))
                .startsWith("0: ");
    }

    private static String said(String... arguments) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(ANALYZE), "systemd-analyze is not installed");
        ProcessBuilder builder = new ProcessBuilder(ANALYZE.toString()).redirectErrorStream(true);
        builder.command().addAll(List.of(arguments));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + ": " + said;
    }
}
