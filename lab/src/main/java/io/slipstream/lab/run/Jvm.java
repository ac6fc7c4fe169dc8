package io.slipstream.lab.run;

import io.slipstream.lab.Case;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A JVM on this machine.
 *
 * @param home its {@code JAVA_HOME}
 * @param name such as {@code "JDK 25.0.1 Temurin"}; {@link #distinct} makes it unique among those that are compared
 * @param feature its feature release, such as 25
 */
public record Jvm(Path home, String name, int feature) {
    /** Fixed heap and one simple collector, so that neither is part of a figure unless an experiment asks for it. */
    public static final List<String> FLAGS = List.of(
            "-Xms" + (Case.HEAP_BYTES >> 30) + "g",
            "-Xmx" + (Case.HEAP_BYTES >> 30) + "g",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData");

    /** How deep in a directory of JDKs a home may lie: {@code /opt/vendor/jdk-25}. */
    private static final int DEPTH = 2;

    /** The one that runs this code. */
    public static Jvm current() {
        Path home = Path.of(System.getProperty("java.home"));
        return new Jvm(
                home,
                name(Runtime.version().toString(), System.getProperty("java.vendor.version", "")),
                Runtime.version().feature());
    }

    /**
     * The JVM of a home directory, from its {@code release} file, or by asking it.
     *
     * @throws IllegalArgumentException when there is none, it starts no program with the {@linkplain #FLAGS flags} of
     * the
     *     lab, or is too old to run it
     */
    public static Jvm at(Path home) {
        Path java = home.resolve("bin/java");
        if (!Files.isExecutable(java)) {
            throw new IllegalArgumentException("no JDK at " + home + ": " + java + " is not a program");
        }
        String version = release(home).getProperty("JAVA_VERSION", "").replace("\"", "");
        start(home, "java -version", List.of(java.toString(), "-version"));
        int feature;
        try {
            feature = Runtime.Version.parse(version).feature();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the JDK at " + home + " does not state its version in " + home.resolve("release"), e);
        }
        if (feature < 17) {
            throw new IllegalArgumentException(
                    "the JDK at " + home + " is " + feature + "; the lab's classes need 17 or newer");
        }
        List<String> program = new ArrayList<>(List.of(java.toString()));
        program.addAll(FLAGS);
        program.addAll(List.of("-cp", ClassPath.ofTheLab(), Start.class.getName()));
        start(home, "a program with the lab's flags", program);
        return new Jvm(
                home,
                name(
                        version,
                        release(home).getProperty("IMPLEMENTOR_VERSION", "").replace("\"", "")),
                feature);
    }

    /** Starts something and waits until it has ended well. */
    private static void start(Path home, String what, List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            // It says a few lines at most, which a pipe holds.
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalArgumentException("the JDK at " + home + " does not end " + what + " within 20 s");
            }
            if (process.exitValue() != 0) {
                String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .findFirst()
                        .map(line -> ": " + line)
                        .orElse("");
                throw new IllegalArgumentException("the JDK at " + home + " does not start: " + what + " ended with "
                        + process.exitValue() + said);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("the JDK at " + home + " does not start: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalArgumentException("interrupted", e);
        }
    }

    /**
     * Those that can run the lab, the current one first: of {@code JAVA_HOME}, on the {@code PATH}, under
     * {@code /usr/lib/jvm}, {@code ~/.sdkman/candidates/java}, {@code ~/.jdks} and {@code /opt}.
     */
    public static List<Jvm> found() {
        List<Jvm> found = new ArrayList<>(List.of(current()));
        Path user = Path.of(System.getProperty("user.home", "/"));
        List<Path> under = List.of(
                Path.of("/usr/lib/jvm"),
                user.resolve(".sdkman/candidates/java"),
                user.resolve(".jdks"),
                Path.of("/opt"));
        for (Path home : homes(System.getenv("JAVA_HOME"), System.getenv("PATH"), under)) {
            if (!home.equals(real(current().home()))) {
                try {
                    found.add(at(home));
                } catch (IllegalArgumentException e) {
                    // Too old or broken: not one that we can offer.
                }
            }
        }
        return distinct(found);
    }

    /**
     * Where there may be a JDK, each once and without links: there is a {@code release} file and a {@code bin/java}.
     */
    static Set<Path> homes(@Nullable String javaHome, @Nullable String path, List<Path> under) {
        Set<Path> homes = new LinkedHashSet<>();
        if (javaHome != null && !javaHome.isEmpty()) {
            addIfHome(Path.of(javaHome), homes);
        }
        for (String directory : path == null ? new String[0] : path.split(Pattern.quote(File.pathSeparator), -1)) {
            // Mostly a link from elsewhere into a home.
            Path java = real(Path.of(directory, "java")).toAbsolutePath();
            Path bin = java.getParent();
            if (!directory.isEmpty() && Files.isExecutable(java) && bin != null && bin.getParent() != null) {
                addIfHome(bin.getParent(), homes);
            }
        }
        for (Path parent : under) {
            try (Stream<Path> within = Files.walk(parent, DEPTH)) {
                within.sorted().forEach(home -> addIfHome(home, homes));
            } catch (IOException | UncheckedIOException e) {
                // No such directory, or not for us.
            }
        }
        return homes;
    }

    private static void addIfHome(Path home, Set<Path> homes) {
        if (Files.isRegularFile(home.resolve("release")) && Files.isExecutable(home.resolve("bin/java"))) {
            homes.add(real(home));
        }
    }

    /**
     * Each once, whatever links lead to it, those of the same version and vendor numbered: {@code "JDK 25 Temurin #2"}.
     */
    public static List<Jvm> distinct(List<Jvm> jvms) {
        Map<Path, Jvm> byHome = new LinkedHashMap<>();
        jvms.forEach(jvm -> byHome.putIfAbsent(real(jvm.home()), jvm));
        Map<String, Integer> seen = new HashMap<>();
        List<Jvm> distinct = new ArrayList<>();
        for (Jvm jvm : byHome.values()) {
            int number = seen.merge(jvm.name(), 1, Integer::sum);
            distinct.add(number == 1 ? jvm : new Jvm(jvm.home(), jvm.name() + " #" + number, jvm.feature()));
        }
        return distinct;
    }

    private static Path real(Path home) {
        try {
            return home.toRealPath();
        } catch (IOException e) {
            return home;
        }
    }

    private static String name(String version, String vendorVersion) {
        String number = version.replaceFirst("\\+.*", "");
        String vendor = vendorVersion.replaceFirst("-.*", "");
        return "JDK " + number + (vendor.isEmpty() ? "" : " " + vendor);
    }

    private static Properties release(Path home) {
        Properties release = new Properties();
        try (var in = Files.newBufferedReader(home.resolve("release"))) {
            release.load(in);
        } catch (IOException e) {
            // The caller says what is missing.
        }
        return release;
    }
}
