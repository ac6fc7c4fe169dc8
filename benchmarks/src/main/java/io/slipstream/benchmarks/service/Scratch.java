package io.slipstream.benchmarks.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder in the present one that is removed afterwards. */
final class Scratch implements AutoCloseable {
    private final Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "service-");

    Scratch() throws IOException {}

    Path folder() {
        return folder;
    }

    @Override
    public void close() throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }
}
