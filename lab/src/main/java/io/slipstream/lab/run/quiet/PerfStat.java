package io.slipstream.lab.run.quiet;

import io.slipstream.lab.machine.Programs;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the processor and the kernel do for a process, by {@code perf stat}. It is started disabled, beside the
 * warm-up, and told to begin through a pipe, so that its own start is not counted.
 */
public final class PerfStat {
    private static final String EVENTS = "cycles,instructions,cache-misses,branch-misses,dTLB-load-misses,"
            + "context-switches,cpu-migrations,page-faults";
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Process perf;
    private final Path directory;

    private PerfStat(Process perf, Path directory) {
        this.perf = perf;
        this.directory = directory;
    }

    /** Starts it, without counting yet; null when {@code perf} is not installed. */
    public static @Nullable PerfStat start(Path scratch, ProcessHandle process) throws InterruptedException {
        if (!Programs.has("perf") || !Programs.has("mkfifo")) {
            return null;
        }
        try {
            Path directory = Files.createTempDirectory(scratch, "perf");
            return new PerfStat(perf(directory, process), directory);
        } catch (IOException e) {
            // Then there are no counters, as where perf is missing.
            return null;
        }
    }

    private static Process perf(Path directory, ProcessHandle process) throws IOException, InterruptedException {
        Path control = directory.resolve("control");
        Path answer = directory.resolve("answer");
        quietly("mkfifo", control.toString(), answer.toString()).waitFor();
        return quietly(
                "perf",
                "stat",
                "-x",
                ",",
                "-e",
                EVENTS,
                "-p",
                String.valueOf(process.pid()),
                "--delay",
                "-1",
                "--control",
                "fifo:" + control + "," + answer,
                "-o",
                directory.resolve("counts").toString());
    }

    private static Process quietly(String... command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Begins to count; says no when it is not permitted, or {@code perf} is too old to be told when. */
    public boolean begin() throws InterruptedException {
        try {
            return isEnabled();
        } catch (IOException e) {
            return false;
        }
    }

    /** Opened for reading and writing, a pipe waits for nobody at its other end. */
    private boolean isEnabled() throws IOException, InterruptedException {
        try (RandomAccessFile control = pipe("control");
                RandomAccessFile answer = pipe("answer");
                FileInputStream answers = new FileInputStream(answer.getFD())) {
            control.write("enable\n".getBytes(StandardCharsets.US_ASCII));
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (answers.available() == 0) {
                if (!perf.isAlive() || System.nanoTime() > deadline) {
                    return false;
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
            return true;
        }
    }

    private RandomAccessFile pipe(String name) throws IOException {
        return new RandomAccessFile(directory.resolve(name).toString(), "rw");
    }

    /** Ends counting; the counts of the events that this machine offers, by name. */
    public Map<String, Double> end() throws InterruptedException {
        try {
            // Only this signal makes it write what it has.
            quietly("kill", "-INT", String.valueOf(perf.pid())).waitFor();
            if (!perf.waitFor(PATIENCE_NANOS, TimeUnit.NANOSECONDS)) {
                return Map.of();
            }
            return parse(Files.readAllLines(directory.resolve("counts")));
        } catch (IOException e) {
            return Map.of();
        } finally {
            abandon();
        }
    }

    /** Ends counting, for nothing. */
    public void abandon() {
        perf.destroyForcibly();
        clear();
    }

    /** Lines such as {@code 1234,,cycles,...}; what is not supported or not counted says so in place of a number. */
    public static Map<String, Double> parse(List<String> lines) {
        Map<String, Double> counts = new LinkedHashMap<>();
        for (String line : lines) {
            String[] part = line.split(",", -1);
            if (part.length > 2 && part[0].matches("[0-9.]+")) {
                counts.put(part[2].replaceFirst(":.*", ""), Double.valueOf(part[0]));
            }
        }
        return counts;
    }

    private void clear() {
        for (String name : List.of("control", "answer", "counts", "")) {
            try {
                Files.deleteIfExists(directory.resolve(name));
            } catch (IOException e) {
                // The runner removes what is left, with the whole scratch directory.
            }
        }
    }
}
