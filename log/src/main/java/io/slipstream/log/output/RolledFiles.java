package io.slipstream.log.output;

import io.slipstream.core.thread.Undisturbed;
import io.slipstream.log.config.LogConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files of before: {@code app.20261123-040506.123.log}, and with {@code .gz} when compressed. They are compressed
 * beside the back end.
 */
final class RolledFiles {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss.SSS").withZone(ZoneOffset.UTC);

    private final Path file;
    private final String stem;
    private final String ending;
    private final boolean compress;
    private final int keepFiles;
    private final @Nullable Duration keepAge;
    private final ThreadFactory factory;
    private final Deque<Path> waiting = new ArrayDeque<>();
    private final Deque<Path> newest = new ArrayDeque<>();
    private volatile @Nullable Thread compressor;

    RolledFiles(Path file, LogConfig config) {
        this(
                file,
                config,
                Thread.ofPlatform().daemon().name("slipstream-log-roll").factory());
    }

    /**
     * Creates it.
     *
     * @param factory gives the threads that compress, one at a time
     */
    RolledFiles(Path file, LogConfig config, ThreadFactory factory) {
        this.file = file;
        this.factory = factory;
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        stem = dot > 0 ? name.substring(0, dot) : name;
        ending = dot > 0 ? name.substring(dot) : "";
        compress = config.compress();
        keepFiles = config.keepFiles();
        keepAge = config.keepAge();
    }

    /** Gives the file its rolled name; it is compressed when those before it are. */
    void add() throws IOException {
        Path target = free();
        Files.move(file, target);
        synchronized (waiting) {
            waiting.add(target);
            newest.add(target);
            while (newest.size() > Math.max(1, keepFiles)) {
                newest.remove();
            }
            Thread thread = compressor;
            if (thread == null || !thread.isAlive()) {
                Thread next = Objects.requireNonNull(factory.newThread(this::finishAll), "no thread");
                next.start();
                compressor = next;
            }
        }
    }

    private void finishAll() {
        while (true) {
            synchronized (waiting) {
                if (waiting.isEmpty()) {
                    compressor = null;
                    return;
                }
                waiting.clear();
            }
            finish();
        }
    }

    private Path free() {
        for (Instant time = Instant.now(); ; time = time.plusMillis(1)) {
            Path target = file.resolveSibling(stem + "." + STAMP.format(time) + ending);
            if (!Files.exists(target) && !Files.exists(zipped(target))) {
                return target;
            }
        }
    }

    private static Path zipped(Path rolled) {
        return rolled.resolveSibling(rolled.getFileName() + ".gz");
    }

    /**
     * Removes what is too many, and compresses what is left: what was rolled, also by a process that ended before it
     * had come to that. Compressing takes long, and neither a program that logs faster nor one that soon ends may
     * gather files meanwhile.
     */
    private void finish() {
        try {
            remove();
            for (Path each : compress ? rolled(ending) : List.<Path>of()) {
                if (Files.exists(each)) {
                    byItself(() -> compress(each));
                    remove();
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // The folder cannot be read; it is with the next one.
        }
    }

    /** What fails with one file stays as it is until the next is rolled, and holds up no other file. */
    private static void byItself(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            // It is looked at again with the next one.
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private static void compress(Path rolled) throws IOException {
        Path part = rolled.resolveSibling(rolled.getFileName() + ".part");
        try {
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(part), 1 << 16)) {
                Files.copy(rolled, out);
            }
            // A process that was killed before it deleted the first has left both.
            Files.move(part, zipped(rolled), StandardCopyOption.REPLACE_EXISTING);
            Files.delete(rolled);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private void remove() throws IOException {
        for (Path part : rolled(ending + ".part")) {
            byItself(() -> Files.deleteIfExists(part));
        }
        List<Path> all = Stream.concat(rolled(ending).stream(), rolled(ending + ".gz").stream())
                .sorted(Comparator.<Path>comparingInt(this::turn)
                        .thenComparing(Comparator.naturalOrder())
                        .reversed())
                .toList();
        for (int i = 0; i < all.size(); i++) {
            Path each = all.get(i);
            boolean isTooMany = i >= keepFiles;
            byItself(() -> {
                if (isTooMany || isOld(each)) {
                    Files.deleteIfExists(each);
                }
            });
        }
    }

    private boolean isOld(Path rolled) throws IOException {
        return keepAge != null
                && Files.getLastModifiedTime(rolled)
                        .toInstant()
                        .isBefore(Instant.now().minus(keepAge));
    }

    /** What this process has rolled is newer than what it found, also if that was named by a clock that ran ahead. */
    private int turn(Path rolled) {
        synchronized (waiting) {
            int turn = 1;
            for (Path each : newest) {
                if (rolled.equals(each) || rolled.equals(zipped(each))) {
                    return turn;
                }
                turn++;
            }
            return 0;
        }
    }

    private List<Path> rolled(String withEnding) throws IOException {
        try (Stream<Path> files = Files.list(file.resolveSibling(".").normalize())) {
            return files.filter(path -> isRolled(String.valueOf(path.getFileName()), withEnding))
                    .filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .toList();
        }
    }

    private boolean isRolled(String name, String withEnding) {
        return name.startsWith(stem + ".")
                && name.substring(stem.length() + 1).matches("\\d{8}-\\d{6}\\.\\d{3}" + Pattern.quote(withEnding));
    }

    /** Waits until all are compressed. */
    void await() {
        Thread thread = compressor;
        if (thread != null) {
            Undisturbed.join(thread);
        }
    }
}
