package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.Level;
import io.slipstream.log.event.SiteFile;
import io.slipstream.log.tool.LogFilter;
import io.slipstream.log.tool.LogTool;
import io.slipstream.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinaryLogTest {
    @TempDir
    private Path folder;

    static List<String> show(Path log, LogFilter filter, String pattern) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (LogTool tool = new LogTool(log, filter, "pattern", pattern, false, out)) {
            tool.show();
        }
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void isReadAsTextAlsoWhileItIsWritten() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (LogSystem system = LogSystem.open(LogConfig.journal(folder))) {
            Thread.currentThread().setName("writer");
            system.log("a.b").info("order {} at {}", 7, 1.5);
            assertThat(system.flush(Await.PATIENCE)).isTrue();
            try (LogTool tool = new LogTool(folder, LogFilter.ALL, "pattern", "%p [%t] %c %m%n", false, out)) {
                assertThat(tool.show()).isEqualTo(1);
                system.log("a.c").warn("new statement {}", "x");
                assertThat(system.flush(Await.PATIENCE)).isTrue();
                assertThat(tool.show()).isEqualTo(1);
            }
        }
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("INFO [writer] a.b order 7 at 1.5\nWARN [writer] a.c new statement x\n");
    }

    @Test
    void showsWhatIsAskedFor() throws IOException {
        try (LogSystem system = LogSystem.open(LogConfig.journal(folder))) {
            system.log("a.b").info("one");
            system.log("a.bc").warn("two {}", 2);
            system.log("a.b.c").error("three");
        }
        assertThat(show(folder, new LogFilter(Level.WARN, "", Long.MIN_VALUE, Long.MAX_VALUE, null), "%m%n"))
                .containsExactly("two 2", "three");
        assertThat(show(folder, new LogFilter(Level.TRACE, "a.b", Long.MIN_VALUE, Long.MAX_VALUE, null), "%m%n"))
                .containsExactly("one", "three");
        assertThat(show(
                        folder,
                        new LogFilter(Level.TRACE, "", Long.MIN_VALUE, Long.MAX_VALUE, Pattern.compile("wo \\d")),
                        "%m%n"))
                .containsExactly("two 2");
        assertThat(show(folder, new LogFilter(Level.TRACE, "", 0, 1, null), "%m%n"))
                .isEmpty();
    }

    @Test
    void aThreadThatWasInterruptedMakesItsStatementKnownToo() throws IOException {
        try (LogSystem system = LogSystem.open(LogConfig.journal(folder))) {
            Thread.currentThread().interrupt();
            for (int i = 0; i < 5; i++) {
                system.log("a").info("interrupted {}", i);
            }
            assertThat(Thread.interrupted()).isTrue();
            for (int i = 0; i < 5; i++) {
                system.log("a").info("not interrupted {}", i);
            }
        }
        assertThat(show(folder, LogFilter.ALL, "%m%n")).hasSize(10).noneMatch(line -> line.contains("unknown"));
    }

    @Test
    void keepsItsStatementsOverRestartsAndSkipsADamagedLine() throws IOException {
        for (int run = 0; run < 3; run++) {
            try (LogSystem system = LogSystem.open(LogConfig.journal(folder))) {
                // A message is known as a statement's once it has come some times.
                for (int i = 0; i < 5; i++) {
                    system.log("a").info("run {}\tof\n\\n{}", run, 3);
                }
            }
            Files.writeString(
                    folder.resolve(SiteFile.NAME), "00000000\t9\tINFO\ta\tbroken\ncut of", StandardOpenOption.APPEND);
        }
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            expected.addAll(List.of("run " + i / 5 + "\tof", "\\n3"));
        }
        assertThat(show(folder, LogFilter.ALL, "%m%n")).isEqualTo(expected);
        assertThat(Files.readAllLines(folder.resolve(SiteFile.NAME)).stream()
                        .filter(line -> line.contains("run {}"))
                        .count())
                .isEqualTo(1);
    }

    @Test
    void whatIsForTheTerminalIsShownAndNotObeyed() throws IOException {
        try (LogSystem system = LogSystem.open(LogConfig.journal(folder))) {
            system.log("a").warn("\u001b[2J{}\r\u009b31m\ttab", "\u001b]0;title\u0007");
        }
        for (boolean colors : new boolean[] {false, true}) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (LogTool tool = new LogTool(folder, LogFilter.ALL, "pattern", "%m%n", colors, out)) {
                tool.show();
            }
            String expected = "\\u001b[2J\\u001b]0;title\\u0007\\u000d\\u009b31m\ttab";
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .isEqualTo(colors ? "\u001b[33m" + expected + "\u001b[0m\n" : expected + "\n");
        }
    }
}
