package io.slipstream.benchmarks.log;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.benchmarks.suite.Threads;
import io.slipstream.log.tool.LogFilter;
import io.slipstream.log.tool.LogTool;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Threads that log, as fast as they can or at a rate; afterwards every message must be there. */
final class LogContest implements Contest {
    private final Competitors ours;
    private final Competitors peer;
    private final int threads;
    private final int each;
    private final long gapNanos;
    private final double quantile;
    private final Path folder;

    /**
     * Creates it.
     *
     * @param gapNanos from one message of a thread to its next; 0 for as fast as it can, which is then measured in
     *      messages a second
     * @param quantile of the time of a call, where there is a rate
     */
    LogContest(Competitors ours, Competitors peer, int threads, int each, long gapNanos, double quantile)
            throws IOException {
        this.ours = ours;
        this.peer = peer;
        this.threads = threads;
        this.each = each;
        this.gapNanos = gapNanos;
        this.quantile = quantile;
        this.folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "log");
    }

    @Override
    public double ours() throws Exception {
        return run(ours);
    }

    @Override
    public double peer() throws Exception {
        return run(peer);
    }

    private double run(Competitors which) throws Exception {
        Path path = folder.resolve(which.name());
        long[][] times = new long[threads][gapNanos == 0 ? 0 : each];
        long begin;
        long nanos;
        try (Competitor log = which.open(path)) {
            List<Callable<?>> parts = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int thread = t;
                parts.add(() -> {
                    if (gapNanos == 0) {
                        logAll(log);
                    } else {
                        logAtRate(log, times[thread]);
                    }
                    return null;
                });
            }
            begin = System.nanoTime();
            Threads.race(parts);
            log.finish();
            nanos = System.nanoTime() - begin;
        }
        check(which, path);
        remove(path);
        if (gapNanos == 0) {
            return (double) threads * each * 1e3 / nanos;
        }
        long[] all = Arrays.stream(times).flatMapToLong(Arrays::stream).sorted().toArray();
        return all[(int) Math.min(all.length - 1, all.length * quantile)];
    }

    private void logAll(Competitor log) {
        for (int i = 0; i < each; i++) {
            log.log(1_000_000L + i, i * 0.25, "someone");
        }
    }

    /**
     * A call that is late because of the one before it is not measured from when it was due: what a call takes is
     * asked here.
     */
    private void logAtRate(Competitor log, long[] times) {
        long due = System.nanoTime();
        for (int i = 0; i < each; i++) {
            long now = System.nanoTime();
            while (now < due) {
                Thread.onSpinWait();
                now = System.nanoTime();
            }
            log.log(1_000_000L + i, i * 0.25, "someone");
            times[i] = System.nanoTime() - now;
            due += gapNanos;
        }
    }

    private void check(Competitors which, Path path) throws IOException {
        long messages;
        if (which == Competitors.BINARY) {
            try (LogTool tool =
                    new LogTool(path, LogFilter.ALL, "pattern", "%m%n", false, OutputStream.nullOutputStream())) {
                messages = tool.show();
            }
        } else {
            try (Stream<String> lines = Files.lines(path)) {
                messages = lines.filter(line -> line.endsWith(" by someone")).count();
            }
        }
        long expected = (long) threads * each;
        if (messages != expected && which == ours) {
            throw new IllegalStateException(which + " has " + messages + " messages of " + expected);
        }
        if (messages != expected) {
            // Its time counts all the same, as if it had written them.
            System.err.println("  the peer has " + messages + " messages of " + expected);
        }
    }

    private static void remove(Path path) throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Override
    public void close() throws IOException {
        remove(folder);
    }
}
