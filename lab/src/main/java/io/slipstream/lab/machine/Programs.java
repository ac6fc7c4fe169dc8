package io.slipstream.lab.machine;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Programs of the system that the lab uses where they are installed. */
public final class Programs {
    /** Where a user's path may not lead. */
    private static final String ALSO = "/usr/bin:/bin:/usr/local/bin:/sbin:/usr/sbin";

    private Programs() {}

    /** Whether a program is on this machine. */
    public static boolean has(String name) {
        return has(name, Objects.requireNonNullElse(System.getenv("PATH"), "") + File.pathSeparator + ALSO);
    }

    public static boolean has(String name, String path) {
        return Stream.of(path.split(Pattern.quote(File.pathSeparator), -1))
                .filter(directory -> !directory.isEmpty())
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
    }
}
