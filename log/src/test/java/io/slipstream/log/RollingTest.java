package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.log.config.LogConfig;
import io.slipstream.log.tool.LogFilter;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RollingTest {
    private static final Duration LIMIT = Await.PATIENCE;

    @TempDir
    private Path folder;

    private LogConfig config() {
        return LogConfig.file(folder.resolve("app.log")).with("pattern", "%m%n");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    private void log(LogConfig config, String message) throws IOException {
        try (LogSystem system = LogSystem.open(config)) {
            system.log("a").info(message);
            assertThat(system.flush(LIMIT)).isTrue();
        }
    }

    @Test
    void aFileOfAnotherDayIsRolledAndOneOfTodayIsNot() throws IOException {
        LogConfig config = config().with("roll.every", "day").with("compress", "false");
        log(config, "yesterday");
        Files.setLastModifiedTime(
                folder.resolve("app.log"), FileTime.from(Instant.now().minus(Duration.ofDays(1))));
        log(config, "today");
        log(config, "later today");
        assertThat(names()).hasSize(2).element(0).asString().matches("app\\.\\d{8}-\\d{6}\\.\\d{3}\\.log");
        assertThat(Files.readString(folder.resolve("app.log"))).isEqualTo("today\nlater today\n");
    }

    @Test
    void whatAKilledProcessHasLeftIsCompressedWithTheNextAndForeignFilesStay() throws IOException {
        Files.writeString(folder.resolve("app.20250101-000000.000.log"), "left");
        Files.writeString(folder.resolve("app.20250101-000000.001.log.part"), "half");
        Files.writeString(folder.resolve("app.other.log"), "foreign");
        Files.writeString(folder.resolve("app.log"), "x".repeat(70_000));
        log(config().with("roll.size", "64 KB"), "new");
        assertThat(names())
                .hasSize(4)
                .contains("app.20250101-000000.000.log.gz", "app.log", "app.other.log")
                .noneMatch(name -> name.endsWith(".part"));
    }

    /** Killed after the compressed file was there and before the other was deleted. */
    @Test
    void aKillDuringCompressionEndsNeitherCompressionNorRemoval() throws IOException {
        Files.writeString(folder.resolve("app.20250101-000000.000.log"), "left");
        Files.writeString(folder.resolve("app.20250101-000000.000.log.gz"), "left, compressed");
        for (int i = 0; i < 6; i++) {
            Files.writeString(folder.resolve("app.log"), "x".repeat(70_000));
            log(config().with("roll.size", "64 KB").with("keep.files", "3"), "new");
        }
        assertThat(names())
                .hasSize(4)
                .doesNotContain("app.20250101-000000.000.log")
                .filteredOn(n -> n.endsWith(".gz"))
                .hasSize(3);
    }

    @Test
    void aFileThatCannotBeCompressedHoldsUpNoOther() throws IOException {
        Path stuck = Files.createDirectories(folder.resolve("app.20250101-000000.000.log"));
        Files.createDirectories(
                stuck.resolveSibling(stuck.getFileName() + ".gz").resolve("not empty"));
        for (int i = 0; i < 6; i++) {
            Files.writeString(folder.resolve("app.log"), "x".repeat(70_000));
            log(config().with("roll.size", "64 KB").with("keep.files", "3"), "new");
        }
        assertThat(names()).filteredOn(name -> !name.startsWith("app.2025")).hasSize(4);
    }

    /** The rolled name is longer than file systems take. */
    @Test
    void aFileThatCannotBeRenamedGrowsOnAndTheReasonIsToldOnce() throws IOException {
        Path file = folder.resolve("a".repeat(245) + ".log");
        int count = 10_000;
        LogConfig config = LogConfig.file(file).with("pattern", "%m%n").with("roll.size", "64 KB");
        try (LogSystem system = LogSystem.open(config.with("full.wait", "30 s"))) {
            for (int i = 0; i < count; i++) {
                system.log("a").info("message {} of some length", i);
            }
            assertThat(system.flush(LIMIT)).isTrue();
            assertThat(system.losses().lost()).isZero();
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).filteredOn(line -> line.startsWith("message ")).hasSize(count);
        assertThat(lines)
                .filteredOn(line -> line.startsWith("cannot roll "))
                .hasSize(1)
                .first()
                .asString()
                .contains("FileSystemException");
    }

    @Test
    void aLinkIsNotRolledAndThatIsTold() throws IOException {
        Path target = folder.resolve("target");
        Path link = Files.createSymbolicLink(folder.resolve("app.log"), target);
        Files.writeString(target, "x".repeat(70_000));
        log(config().with("roll.size", "64 KB"), "new");
        assertThat(names()).containsExactly("app.log", "target");
        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(Files.readString(target)).contains("new\n").contains("is a link or a device, and is never rolled");
    }

    @Test
    void archivesOfAClockThatRanAheadDoNotPushTheNewestOut() throws IOException {
        for (int i = 0; i < 3; i++) {
            Files.writeString(folder.resolve("app.2031010" + (i + 1) + "-000000.000.log.gz"), "ahead");
        }
        Files.writeString(folder.resolve("app.log"), "x".repeat(70_000));
        log(config().with("roll.size", "64 KB").with("keep.files", "3"), "new");
        assertThat(names())
                .hasSize(4)
                .filteredOn(name -> !name.startsWith("app.2031"))
                .hasSize(2);
    }

    @Test
    void filesThatAreTooOldAreRemoved() throws IOException {
        Path old = Files.writeString(folder.resolve("app.20250101-000000.000.log.gz"), "old");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(9))));
        Files.writeString(folder.resolve("app.log"), "x".repeat(70_000));
        log(config().with("roll.size", "64 KB").with("keep.for", "7 days"), "new");
        assertThat(names()).hasSize(2).doesNotContain("app.20250101-000000.000.log.gz");
    }

    @Test
    void aFileThatAnotherProgramHasMovedIsMadeAnew() throws IOException {
        Path file = folder.resolve("app.log");
        try (LogSystem system = LogSystem.open(config())) {
            Log log = system.log("a");
            log.info("before");
            assertThat(system.flush(LIMIT)).isTrue();
            Files.move(file, folder.resolve("moved"));
            while (!Files.exists(file)) {
                log.info("after");
                assertThat(system.flush(LIMIT)).isTrue();
            }
            log.info("end");
        }
        assertThat(Files.readString(folder.resolve("moved"))).startsWith("before\n");
        assertThat(Files.readString(file)).endsWith("end\n");
    }

    @Test
    void aBinaryLogKeepsAboutAsMuchAsItIsToldThroughRestartsToo() throws IOException {
        LogConfig config = LogConfig.journal(folder)
                .with("roll.size", "1 MB")
                .with("keep.files", "2")
                .with("full.wait", "30 s");
        for (int run = 0; run < 12; run++) {
            try (LogSystem system = LogSystem.open(config)) {
                for (int i = 0; i < 9_000; i++) {
                    system.log("a").info("message {} of run {}", i, run);
                }
            }
        }
        List<String> lines = BinaryLogTest.show(folder, LogFilter.ALL, "%m%n");
        assertThat(lines).hasSizeBetween(20_000, 80_000).last().isEqualTo("message 8999 of run 11");
    }

    @Test
    void aBinaryLogForgetsWhatIsTooOld() throws IOException {
        LogConfig config = LogConfig.journal(folder)
                .with("roll.size", "1 MB")
                .with("keep.for", "1 ms")
                .with("full.wait", "30 s");
        try (LogSystem system = LogSystem.open(config)) {
            for (int i = 0; i < 40_000; i++) {
                system.log("a").info("message {}", i);
            }
            assertThat(system.flush(LIMIT)).isTrue();
            while (Files.exists(folder.resolve("journal").resolve("segment-0000000000000001.journal"))) {
                Thread.onSpinWait();
            }
        }
    }
}
