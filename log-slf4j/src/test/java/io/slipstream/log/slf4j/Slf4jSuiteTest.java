package io.slipstream.log.slf4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests that SLF4J has for its own providers, in a JVM of their own. */
class Slf4jSuiteTest {
    /* SLF4J counts what was logged while it sought its provider, and is lenient by 30 calls: few on a busy machine. */
    private static final int ATTEMPTS = 4;

    @Test
    void passesTheTestsOfSlf4j(@TempDir Path parent) throws Exception {
        String said = "";
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            said = run(Files.createDirectory(parent.resolve("attempt-" + attempt)));
            if (!said.contains("multiThreadedInitialization")) {
                break;
            }
        }
        assertThat(said).containsPattern("[1-9]\\d tests of SLF4J, 0 failed");
    }

    private static String run(Path folder) throws Exception {
        Files.writeString(folder.resolve("slipstream-log.properties"), "output = file\npath = app.log\n");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("jdk.module.path", "") + ":" + System.getProperty("java.class.path"),
                        Path.of("src/test/slf4j/Slf4jSuite.java")
                                .toAbsolutePath()
                                .toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        child.waitFor();
        return said;
    }
}
