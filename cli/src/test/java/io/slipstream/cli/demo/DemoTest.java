package io.slipstream.cli.demo;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/** The whole demo, short. How fast it was is nothing for a test; what was lost or done twice is. */
@Timeout(180)
class DemoTest {
    @TempDir
    Path directory;

    @Test
    void losesNothingAndAppliesNothingTwice() throws Exception {
        StringWriter said = new StringWriter();
        new Demo(new Demo.Settings(directory, "SYNC", 3_000, 1, 2, 7), new PrintWriter(said, true)).run();
        assertThat(said.toString())
                .contains("holds   every command offered got its answer")
                .contains("holds   every acknowledged order is in the log once")
                .contains("holds   an independent replay comes to the same state")
                .contains("holds   SIGTERM ends it in order")
                .contains("holds   overloaded, it answers or refuses every command");
    }
}
