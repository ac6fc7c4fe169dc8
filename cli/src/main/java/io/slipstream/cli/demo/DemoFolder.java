package io.slipstream.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where the demo keeps its journal: the user's folder, which stays, or a temporary one, which goes. */
final class DemoFolder implements AutoCloseable {
    private final Path path;
    private final boolean temporary;

    private DemoFolder(Path path, boolean temporary) {
        this.path = path;
        this.temporary = temporary;
    }

    /** Takes the user's folder, which must be empty if it exists, or makes a temporary one. */
    static DemoFolder open(@Nullable Path wanted) throws IOException {
        if (wanted == null) {
            return new DemoFolder(Files.createTempDirectory("slipstream-demo-"), true);
        }
        if (Files.exists(wanted)) {
            try (Stream<Path> files = Files.list(wanted)) {
                if (files.findAny().isPresent()) {
                    throw new IOException("the folder " + wanted + " is not empty; the demo wants a fresh one");
                }
            }
        }
        return new DemoFolder(wanted, false);
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        remove();
    }

    /** Removes a temporary folder with all that is in it; callable by any thread. */
    synchronized void remove() {
        if (!temporary || !Files.exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> innermostFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : innermostFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + path, e);
        }
    }
}
