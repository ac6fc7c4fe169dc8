package io.slipstream.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The modules that the root pom names, their Java files, and the documents. */
public final class SourceTree {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final String MODULE_INFO = "module-info.java";

    private SourceTree() {}

    /** The folders of the modules, relative to the root, such as {@code examples/bank}. */
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

    /** All Markdown files of the project. */
    static List<Path> documents() {
        List<Path> documents = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    String name = folder.getFileName().toString();
                    boolean made = name.equals("target") || name.startsWith(".");
                    return made ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.toString().endsWith(".md")) {
                        documents.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        documents.sort(null);
        return documents;
    }

    /** The packages that modules export to everybody. */
    public static List<String> exportedPackages() {
        return modulesThatExport().stream()
                .flatMap(sources -> read(sources.resolve(MODULE_INFO)).lines())
                .map(String::strip)
                .filter(line -> line.startsWith("exports ") && line.endsWith(";"))
                .map(line -> line.substring("exports ".length(), line.length() - 1))
                .sorted()
                .toList();
    }

    /** The types that have files of their own in a package that modules export; none is initialized. */
    public static List<Class<?>> typesIn(String packageName) {
        List<Class<?>> types = new ArrayList<>();
        for (Path sources : modulesThatExport()) {
            Path folder = sources.resolve(packageName.replace('.', '/'));
            for (Path file : javaFiles(folder.toString())) {
                String name = file.getFileName().toString().replace(".java", "");
                if (file.getParent().equals(folder) && !name.equals("package-info")) {
                    types.add(type(packageName + "." + name));
                }
            }
        }
        return types;
    }

    /** The folders with the main sources of each; a module without exports may have classes in packages of others. */
    private static List<Path> modulesThatExport() {
        return modules().stream()
                .map(module -> ROOT.resolve(module).resolve("src/main/java"))
                .filter(sources -> Files.exists(sources.resolve(MODULE_INFO)))
                .toList();
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name, false, SourceTree.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("the main classes are not compiled: " + name, e);
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
