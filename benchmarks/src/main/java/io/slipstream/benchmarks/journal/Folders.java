package io.slipstream.benchmarks.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders for one round each, on the file system that is measured: that of the working directory. */
final class Folders {
    private Folders() {
    }

    static Path create() throws IOException {
        Path parent = Files.createDirectories(Path.of("target", "journals"));
        return Files.createTempDirectory(parent, "round");
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
