package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slipstream.log.config.LogConfig;
import io.slipstream.log.tool.LogFilter;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LossTest {
    private static final int THREADS = 8;
    private static final int EACH = 5_000;
    private static final Duration LIMIT = Await.PATIENCE;

    @TempDir
    private Path folder;

    private static String plain(Path file) {
        try {
            if (String.valueOf(file.getFileName()).endsWith(".gz")) {
                try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
                }
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lines in the order of the files' names, the current one last. */
    private List<String> lines() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = new ArrayList<>(all.sorted().toList());
        }
        files.sort(Comparator.comparing(file -> file.endsWith("app.log") ? "~" : file.toString()));
        List<String> lines = new ArrayList<>();
        files.forEach(file -> lines.addAll(plain(file).lines().toList()));
        return lines;
    }

    /** Checks that each thread's messages are whole and in order; returns how many there are. */
    static int check(List<String> lines) {
        int[] next = new int[THREADS];
        int count = 0;
        for (String line : lines) {
            if (line.startsWith("stream ")) {
                String[] words = line.split(" ");
                int thread = Integer.parseInt(words[1]);
                int number = Integer.parseInt(words[2]);
                if (number < next[thread] || !words[3].equals("end" + number * 7)) {
                    throw new AssertionError(
                            "thread " + thread + " is at " + next[thread] + ", and the log has '" + line + "'");
                }
                next[thread] = number + 1;
                count++;
            }
        }
        return count;
    }

    @Test
    void findsOutALogThatIsNotInOrder() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> check(List.of("stream 0 1 end7", "stream 0 0 end0")));
    }

    private static void logFromAll(Log log, boolean virtual) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int thread = t;
            Runnable run = () -> {
                for (int i = 0; i < EACH; i++) {
                    log.info("stream {} {} end{}", thread, i, i * 7);
                    if (i % 1000 == 0) {
                        Thread.currentThread().interrupt();
                    }
                }
            };
            threads.add(
                    virtual
                            ? Thread.ofVirtual().start(run)
                            : Thread.ofPlatform().start(run));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private LogConfig config() {
        return LogConfig.file(folder.resolve("app.log"))
                .with("pattern", "%m%n")
                .with("full.wait", "30 s")
                .with("ring.size", "512 KB");
    }

    @Test
    void eightThreadsLoseNothingThroughRollingAndShutdown() throws Exception {
        LogSystem system = LogSystem.open(config().with("roll.size", "200 KB").with("keep.files", "1000"));
        logFromAll(system.log("a"), false);
        system.close();
        assertThat(check(lines())).isEqualTo(THREADS * EACH);
        assertThat(system.losses().dropped() + system.losses().lost()).isZero();
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all.filter(file -> file.toString().endsWith(".gz")).count())
                    .isGreaterThan(2);
        }
        system.log("a").info("late");
        assertThat(system.losses().dropped()).isEqualTo(1);
    }

    @Test
    void virtualThreadsLoseNothing() throws Exception {
        try (LogSystem system = LogSystem.open(config())) {
            logFromAll(system.log("a"), true);
            assertThat(system.flush(LIMIT)).isTrue();
            assertThat(check(lines())).isEqualTo(THREADS * EACH);
        }
    }

    @Test
    void eightThreadsLoseNothingInABinaryLog() throws Exception {
        Path binary = folder.resolve("binary");
        LogConfig config = LogConfig.journal(binary).with("full.wait", "30 s").with("ring.size", "512 KB");
        try (LogSystem system = LogSystem.open(config)) {
            logFromAll(system.log("a"), false);
        }
        assertThat(check(BinaryLogTest.show(binary, LogFilter.ALL, "%m%n"))).isEqualTo(THREADS * EACH);
    }

    @Test
    void oldFilesAreRemoved() throws Exception {
        try (LogSystem system =
                LogSystem.open(config().with("roll.size", "64 KB").with("keep.files", "2"))) {
            logFromAll(system.log("a"), false);
        }
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all.count()).isLessThanOrEqualTo(3);
        }
    }

    /** A device that takes nothing until it is let go. */
    private static final class StuckStream extends OutputStream {
        private final CountDownLatch free = new CountDownLatch(1);
        private final StringBuilder text = new StringBuilder();

        @Override
        public void write(int b) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            try {
                free.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            synchronized (text) {
                text.append(new String(bytes, from, count, StandardCharsets.UTF_8));
            }
        }

        String text() {
            synchronized (text) {
                return text.toString();
            }
        }
    }

    @Test
    void aStuckDeviceDropsCountsAndTells() throws Exception {
        StuckStream device = new StuckStream();
        LogConfig config = LogConfig.console()
                .with("pattern", "%m%n")
                .with("ring.size", "512 KB")
                .with("full.wait", "1 ms");
        int count = 20_000;
        try (LogSystem system = LogSystem.open(config, new PrintStream(device, true, StandardCharsets.UTF_8))) {
            Log log = system.log("a");
            for (int i = 0; i < count; i++) {
                log.info("message {}", i);
            }
            long dropped = system.losses().dropped();
            assertThat(dropped).isPositive();
            device.free.countDown();
            assertThat(system.flush(LIMIT)).isTrue();
            while (!device.text().contains(dropped + " messages were dropped")) {
                Thread.onSpinWait();
            }
            assertThat(device.text()
                            .lines()
                            .filter(line -> line.startsWith("message "))
                            .count())
                    .isEqualTo(count - dropped);
        }
    }

    @Test
    void afterAWaitInVainWhatIsGraveIsDroppedAtOnceAndWhatIsNotNeverWaits() throws Exception {
        StuckStream device = new StuckStream();
        LogConfig config = LogConfig.console()
                .with("ring.size", "512 KB")
                .with("full.wait", "30 s")
                .with("full.keep", "error");
        try (LogSystem system = LogSystem.open(config, new PrintStream(device, true, StandardCharsets.UTF_8))) {
            Log log = system.log("a");
            // Would take hours if each one waited.
            for (int i = 0; i < 20_000; i++) {
                log.info("message {}", i);
            }
            assertThat(system.losses().dropped()).isPositive();
            device.free.countDown();
        }
    }

    @Test
    void aFullDiskLosesCountsAndTellsAndTheProgramGoesOn() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full));
        Path link = Files.createSymbolicLink(folder.resolve("app.log"), full);
        try (LogSystem system = LogSystem.open(config())) {
            Log log = system.log("a");
            log.info("lost");
            assertThat(system.flush(LIMIT)).isTrue();
            assertThat(system.losses().lost()).isEqualTo(1);
            assertThat(system.losses().reason()).contains(link.toString());
            Files.delete(link);
            while (!Files.exists(link) || !Files.readString(link).contains("messages were lost: ")) {
                Thread.onSpinWait();
            }
            log.info("found");
            assertThat(system.flush(LIMIT)).isTrue();
            assertThat(Files.readString(link)).contains("found\n").doesNotContain("lost\nfound");
        }
    }

    /** The process is killed while it logs, and has told over a pipe how far it has come. */
    @Test
    void whatWasLoggedToAJournalSurvivesAKill() throws Exception {
        for (int round = 0; round < 2; round++) {
            Path binary = folder.resolve("binary-" + round);
            Process child = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("jdk.module.path", "") + ":" + System.getProperty("java.class.path"),
                            Victim.class.getName(),
                            binary.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            int said = 0;
            try (var reader = child.inputReader()) {
                for (int i = 0; i <= 20 * (round + 1); i++) {
                    said = Integer.parseInt(reader.readLine());
                }
                // Unlike the process itself, its handle leaves the pipe open.
                ProcessHandle.of(child.pid()).orElseThrow().destroyForcibly();
                child.waitFor();
                // What it had said before it was killed and was not read yet.
                for (String line = reader.readLine(); line != null && !line.isEmpty(); line = reader.readLine()) {
                    said = Math.max(said, Integer.parseInt(line));
                }
            }
            LogSystem.open(LogConfig.journal(binary)).close();
            List<String> lines = BinaryLogTest.show(binary, LogFilter.ALL, "%m%n");
            assertThat(check(lines)).isGreaterThan(said);
            int number = 0;
            for (String line : lines) {
                assertThat(line).startsWith("stream 0 " + number++ + " ");
            }
        }
    }
}
