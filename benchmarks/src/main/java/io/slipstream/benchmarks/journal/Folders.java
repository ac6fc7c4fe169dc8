package io.slipstream.benchmarks.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Folders for one round each, on the file system that is measured: that of the working directory. */
final class Folders {
    private Folders() {}

    static Path create() throws IOException {
        Path parent = Files.createDirectories(Path.of("target", "journals"));
        return Files.createTempDirectory(parent, "round");
    }

    /** Waits until a journal has as many segments in this folder, those among them that are only prepared. */
    static void awaitSegments(Path folder, int count) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (segments(folder) < count) {
            if (System.nanoTime() > deadline) {
                throw new IOException("there are not " + count + " segments in " + folder + " after a minute");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static long segments(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".journal")).count();
        }
    }

    static void remove(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> paths = Files.walk(folder)) {
            all = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}
