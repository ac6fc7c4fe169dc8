package io.slipstream.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The modules that the root pom names, and their Java files. */
final class SourceTree {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private SourceTree() {}

    /** The folders of the modules, relative to the root, such as {@code examples/counter}. */
    static List<String> modules() {
        return read(ROOT.resolve("pom.xml"))
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("<module>"))
                .map(line -> line.substring("<module>".length(), line.indexOf("</module>")))
                .toList();
    }

    /** All Java files below a folder, such as {@code core/src}; none if it does not exist. */
    static List<Path> javaFiles(String folder) {
        Path start = ROOT.resolve(folder);
        if (!Files.isDirectory(start)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(start)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text of a module's pom. */
    static String pom(String module) {
        return read(ROOT.resolve(module).resolve("pom.xml"));
    }

    /** The name by which people know the file: relative to the root. */
    static String name(Path file) {
        return ROOT.relativize(file).toString();
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
