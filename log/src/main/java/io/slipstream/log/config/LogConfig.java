package io.slipstream.log.config;

import io.slipstream.core.text.SettingsText;
import io.slipstream.core.thread.Patience;
import io.slipstream.log.event.Arguments;
import io.slipstream.log.event.Level;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Where messages go, in what form, and what happens when they cannot.
 *
 * @param levels     thresholds by the name of a logger, and the one of the root as {@code ""}
 * @param output     where to
 * @param path       the file, or the folder of a binary log; null for the console
 * @param format     {@code pattern}, {@code json} or {@code logfmt}; a binary log has none
 * @param pattern    of the format {@code pattern}
 * @param rollBytes  a file, or a segment of a binary log, is not longer than this by more than a batch
 * @param rollAge    a file has messages of one such period alone, which are counted from 1970 in UTC: of one day, of
 *                   one hour; null for any age
 * @param keepFiles  how many rolled files stay; a binary log keeps as many times the size at which files are rolled
 * @param keepAge    how long they stay at most; null for any time
 * @param compress   whether rolled files are compressed with gzip
 * @param textSize   how many characters of an argument are logged; what is longer is cut, with a mark
 * @param ringBytes  of the ring between threads and back end: a power of two
 * @param fullWait   how long a call waits for room in the ring, at most
 * @param fullKeep   messages below this level do not wait
 * @param force      whether each batch of a binary log is forced to the device
 * @param source     the file that the settings are from, whose levels are followed; null if there is none
 */
public record LogConfig(
        Map<String, Level> levels,
        Output output,
        @Nullable Path path,
        String format,
        String pattern,
        long rollBytes,
        @Nullable Duration rollAge,
        int keepFiles,
        @Nullable Duration keepAge,
        boolean compress,
        int textSize,
        int ringBytes,
        Duration fullWait,
        Level fullKeep,
        boolean force,
        @Nullable Path source) {
    /** Where messages go. */
    public enum Output {
        /** Text to the standard output. */
        CONSOLE,
        /** Text to the standard error. */
        STDERR,
        /** Text to a file. */
        FILE,
        /** Binary to a journal. */
        JOURNAL
    }

    /** Name of the file that is looked for on the class path and in the working directory. */
    public static final String FILE_NAME = "slipstream-log.properties";

    /** The system property that names the file. */
    public static final String PROPERTY = "slipstream.log";

    /** The environment variable that names the file. */
    public static final String VARIABLE = "SLIPSTREAM_LOG";

    /** The pattern if nothing else is said. */
    public static final String DEFAULT_PATTERN = "%d %-5p [%t] %c - %m%n";

    private static final int SMALLEST_RING = 1 << 19;
    private static final int LARGEST_RING = 1 << 30;
    private static final int SMALLEST_TEXT = 256;
    /** So that an argument of any characters fits into the largest message twice. */
    private static final int TEXTS_IN_RING = 8;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one cannot be
     */
    public LogConfig {
        levels = Map.copyOf(levels);
        rollAge = rollAge == null ? null : Patience.countable(rollAge);
        keepAge = keepAge == null ? null : Patience.countable(keepAge);
        fullWait = Patience.countable(fullWait);
        boolean isPlace = output == Output.FILE || output == Output.JOURNAL;
        if (isPlace != (path != null)) {
            throw new IllegalArgumentException("output " + output.name().toLowerCase(Locale.ROOT)
                    + (isPlace
                            ? " needs a path: set 'path'"
                            : " has no path: set 'output' to file or journal, or leave 'path'" + " away"));
        }
        if (rollAge != null && rollAge.toMillis() < 1 || keepAge != null && keepAge.toMillis() < 1) {
            throw new IllegalArgumentException("roll.every and keep.for are at least 1 ms, or empty");
        }
        if (ringBytes < SMALLEST_RING || ringBytes > LARGEST_RING || Integer.bitCount(ringBytes) != 1) {
            throw new IllegalArgumentException(
                    "ring.size is a power of two from 512 KB to 1 GB, not " + ringBytes + " bytes");
        }
        if (textSize < SMALLEST_TEXT || textSize > ringBytes / TEXTS_IN_RING) {
            throw new IllegalArgumentException(
                    "text.size is from 256 B to an eighth of ring.size, not " + textSize + " characters");
        }
        if (rollBytes < 1 << 16 || keepFiles < 1 || fullWait.isNegative()) {
            throw new IllegalArgumentException(
                    "roll.size is at least 64 KB, keep.files at least 1, and full.wait not negative");
        }
    }

    /** Returns the defaults: INFO and above to the console, a ring of 2 MiB, calls wait 20 ms at most. */
    public static LogConfig console() {
        return new LogConfig(
                Map.of("", Level.INFO),
                Output.CONSOLE,
                null,
                "pattern",
                DEFAULT_PATTERN,
                100 << 20,
                null,
                10,
                null,
                true,
                Arguments.MAX_CHARACTERS,
                2 << 20,
                Duration.ofMillis(20),
                Level.TRACE,
                false,
                null);
    }

    /** Returns the defaults with text to {@code file}. */
    public static LogConfig file(Path file) {
        return console().to(Output.FILE, file);
    }

    /** Returns the defaults with a binary log in {@code folder}. */
    public static LogConfig journal(Path folder) {
        return console().to(Output.JOURNAL, folder);
    }

    private LogConfig to(Output newOutput, Path newPath) {
        return new LogConfig(
                levels, newOutput, newPath, format, pattern, rollBytes, rollAge, keepFiles, keepAge, compress, textSize,
                ringBytes, fullWait, fullKeep, force, source);
    }

    /**
     * Returns a copy with a setting by its name, as it stands in a file.
     *
     * @throws IllegalArgumentException if there is no such setting, which then names the nearest one, or it cannot
     * have the value
     */
    public LogConfig with(String key, String value) {
        Properties properties = Settings.of(this);
        properties.setProperty(key, value);
        return Settings.read(properties, source);
    }

    /**
     * Reads a file of properties.
     *
     * @throws IllegalArgumentException if it has an unknown key or a wrong value
     */
    public static LogConfig load(Path file) throws IOException {
        try (Reader reader = new StringReader(SettingsText.read(file))) {
            return load(reader, file.toString(), file);
        }
    }

    private static LogConfig load(Reader reader, String name, @Nullable Path file) throws IOException {
        Properties properties = new Properties();
        properties.load(reader);
        try {
            return Settings.read(properties, file);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads the first file there is: the one that the system property {@value #PROPERTY} names, or the environment
     * variable {@value #VARIABLE}, or {@value #FILE_NAME} on the class path, or in the working directory. Returns
     * {@link #console} if there is none.
     *
     * @throws IOException if a file that is named cannot be read
     * @throws IllegalArgumentException if the file has an unknown key or a wrong value
     */
    public static LogConfig find() throws IOException {
        return find(console());
    }

    /**
     * As {@link #find()}, but returns {@code otherwise} if there is no file.
     *
     * @throws IOException if a file that is named cannot be read
     * @throws IllegalArgumentException if the file has an unknown key or a wrong value
     */
    public static LogConfig find(LogConfig otherwise) throws IOException {
        String named = System.getProperty(PROPERTY, System.getenv(VARIABLE));
        if (named != null && !named.isBlank()) {
            return loadNamed(Path.of(named.strip()));
        }
        URL resource = resource();
        if (resource != null) {
            return load(resource);
        }
        Path file = Path.of(FILE_NAME);
        return Files.exists(file) ? load(file) : otherwise;
    }

    private static LogConfig loadNamed(Path file) throws IOException {
        try {
            return load(file);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "there is no file " + file.toAbsolutePath() + ", which -D" + PROPERTY + " or " + VARIABLE
                            + " names",
                    e);
        }
    }

    private static @Nullable URL resource() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        URL found = context == null ? null : context.getResource(FILE_NAME);
        return found != null ? found : ClassLoader.getSystemResource(FILE_NAME);
    }

    /** Its levels are followed if it is a file, and not part of an archive. */
    private static LogConfig load(URL resource) throws IOException {
        if (resource.getProtocol().equals("file")) {
            return load(Path.of(URI.create(resource.toString())));
        }
        URLConnection connection = resource.openConnection();
        // Otherwise the archive stays open as long as the process lives.
        connection.setUseCaches(false);
        try (Reader reader = new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8)) {
            return load(reader, resource.toString(), null);
        }
    }
}
