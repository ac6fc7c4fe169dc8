package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.SiteFile;
import io.slipstream.log.tool.LogFilter;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages made with {@code +}: every code base has them. */
class MadeUpMessagesTest {
    @TempDir
    private Path folder;

    @Test
    void aMillionDistinctOnesAreAllThereWithAllThatBelongsToThemOnASmallHeap() throws Exception {
        Path file = folder.resolve("app.log");
        Process child = ChildJvm.of(
                        MadeUpMessages.class, List.of("-Xmx64m", "-XX:+ExitOnOutOfMemoryError"), file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(said).isZero();
        assertThat(said).isEqualTo("ended\n");
        String trace = MadeUpMessages.Refused.class.getName() + ": ";
        String body = "x".repeat(MadeUpMessages.LARGE_CHARACTERS);
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (int i = 0; i < MadeUpMessages.MESSAGES; i++) {
                String user = i % 2 == 0 ? "" : "user=u" + i;
                expect(
                        lines,
                        "ERROR l" + i % MadeUpMessages.LOGGERS + " order " + i + " failed " + i + " {" + user + "}");
                expect(lines, trace + "cause " + i);
            }
            for (int i = 0; i < MadeUpMessages.LARGE; i++) {
                expect(lines, "INFO large " + i + body + " {}");
            }
            expect(lines, "ERROR l0 a literal 1 {}");
            expect(lines, trace + "the last");
            assertThat(lines.readLine()).isNull();
        }
    }

    private static void expect(BufferedReader lines, String expected) throws IOException {
        String line = lines.readLine();
        if (!expected.equals(line)) {
            assertThat(line).isEqualTo(expected);
        }
    }

    @Test
    void aBinaryLogKeepsNoStatementForThemAndTakesNewOnesAfterARestart() throws IOException {
        LogConfig config = LogConfig.journal(folder).with("full.wait", "30 s").with("roll.size", "100 MB");
        int count = 70_000;
        List<String> expected = new ArrayList<>();
        try (LogSystem system = LogSystem.open(config)) {
            for (int i = 0; i < count; i++) {
                system.log("l" + i % MadeUpMessages.LOGGERS).info("made up " + i);
                expected.add("l" + i % MadeUpMessages.LOGGERS + " made up " + i);
            }
        }
        try (LogSystem system = LogSystem.open(config)) {
            for (int i = 0; i < 5; i++) {
                system.log("l0").error("a literal {}", i, new MadeUpMessages.Refused("cause " + i));
                expected.add("l0 a literal " + i);
                expected.add(MadeUpMessages.Refused.class.getName() + ": cause " + i);
            }
        }
        assertThat(BinaryLogTest.show(folder, LogFilter.ALL, "%c %m%n")).isEqualTo(expected);
        List<String> statements = Files.readAllLines(folder.resolve(SiteFile.NAME));
        assertThat(statements).anyMatch(line -> line.endsWith("a literal {}")).hasSizeLessThan(10);
    }

    @Test
    void statementsThatGetNoNumberAreLoggedAndThatIsToldOnce() throws IOException {
        Path file = folder.resolve("app.log");
        int count = 5_000;
        try (LogSystem system =
                LogSystem.open(LogConfig.file(file).with("pattern", "%m%n").with("full.wait", "30 s"))) {
            for (int i = 0; i < count; i++) {
                String literal = "as a literal " + i;
                for (int time = 0; time < 4; time++) {
                    system.log("a").info(literal);
                }
            }
            assertThat(system.flush(Await.PATIENCE)).isTrue();
            system.log("a").info("end");
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(lines.stream()
                        .filter(line -> line.startsWith("as a literal "))
                        .count())
                .isEqualTo(4L * count);
        assertThat(lines.stream()
                        .filter(line -> line.startsWith("no more than "))
                        .count())
                .isEqualTo(1);
    }

    @Test
    void longTextsAreCutBetweenCharactersAndNotWithinThem() throws IOException {
        Path file = folder.resolve("app.log");
        String text = "a" + "\ud83d\ude80".repeat(10_000);
        try (LogSystem system = LogSystem.open(LogConfig.file(file).with("pattern", "%m%n"))) {
            system.log("a").info(text + "{}|{}", 7);
        }
        assertThat(Files.readAllLines(file)).containsExactly(text + "7|{}");
    }
}
