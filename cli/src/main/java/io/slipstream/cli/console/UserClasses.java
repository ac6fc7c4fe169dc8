package io.slipstream.cli.console;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Classes of the user's own, which are found on a class path until this is closed. */
public final class UserClasses implements AutoCloseable {
    private final URLClassLoader loader;

    /**
     * Finds classes on a class path.
     *
     * @param classPath folders, jars, and folders of jars that end in {@code /*}
     * @throws IOException if it names what is not there
     */
    public UserClasses(String classPath) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                for (Path path : paths(entry)) {
                    urls.add(path.toUri().toURL());
                }
            }
        }
        loader = new URLClassLoader(urls.toArray(new URL[0]), UserClasses.class.getClassLoader());
    }

    /** As {@code java} has it, {@code lib/*} means all jars in {@code lib}. */
    private static List<Path> paths(String entry) throws IOException {
        Path path = Path.of(entry);
        boolean isAllJars = path.endsWith("*");
        Path named = isAllJars ? path.resolveSibling("") : path;
        if (!Files.exists(named)) {
            throw new IOException("there is no " + named + ", which the class path names");
        }
        if (!isAllJars) {
            return List.of(path);
        }
        try (Stream<Path> files = Files.list(named)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Returns a class, which is initialized when it is first used.
     *
     * @param wanted what it should be, for the message: {@code no class}
     * @throws IOException if it cannot be loaded
     */
    public Class<?> named(String name, String wanted) throws IOException {
        return load(name, false, wanted);
    }

    /**
     * Returns a class that is initialized.
     *
     * @param wanted what it should be, for the message: {@code no class}
     * @throws IOException if it cannot be loaded or initialized
     */
    public Class<?> initialized(String name, String wanted) throws IOException {
        return load(name, true, wanted);
    }

    private Class<?> load(String name, boolean initialize, String wanted) throws IOException {
        try {
            return Class.forName(name, initialize, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IOException(
                    name + " is " + wanted + " that can be loaded (" + e + "); say where it is with --class-path", e);
        }
    }

    /** What is done with a class. */
    public interface Use<T> {
        /** Does it. */
        T of(Class<?> type) throws IOException;
    }

    /**
     * Does something with a class that has others load which it needs.
     *
     * @throws IOException also if one of these cannot be loaded
     */
    public static <T> T use(Class<?> type, Use<T> use) throws IOException {
        try {
            return use.of(type);
        } catch (LinkageError e) {
            throw new IOException(
                    type.getName() + " needs what cannot be loaded (" + e + "); say where it is with --class-path", e);
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
