package io.slipstream.cli.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeImageTest {
    private static final long MOST_BYTES = 56_000_000;

    @TempDir
    private Path folder;

    @Test
    void theRuntimeIsSmallAndHasNoDesktop() throws Exception {
        RuntimeImage image = new RuntimeImage(folder);
        image.link();
        assertThat(image.bytes()).isLessThan(MOST_BYTES);
        Process java = new ProcessBuilder(folder.resolve("runtime/bin/java").toString(), "--list-modules")
                .redirectErrorStream(true)
                .start();
        assertThat(new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("java.base@", "jdk.jfr@", "jdk.jcmd@")
                .doesNotContain("java.desktop");
        assertThat(java.waitFor()).isZero();
    }
}
