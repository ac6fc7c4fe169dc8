package io.slipstream.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramsTest {

    @Test
    void findsAProgramOnThePath(@TempDir Path directory) throws IOException {
        Path program = Files.writeString(directory.resolve("perf-of-this-test"), "#!/bin/sh\n");
        String path = "/nowhere::" + directory;
        assertThat(Programs.has("perf-of-this-test", path)).isFalse();
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(Programs.has("perf-of-this-test", path)).isTrue();
        assertThat(Programs.has("sh")).isTrue();
    }
}
