package io.slipstream.cli.data;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which list, and of what: arguments that all commands about lists share. */
final class ListOptions {
    @Parameters(index = "0", paramLabel = "DIR", description = "The folder of the list.")
    private Path folder;

    @Parameters(index = "1", paramLabel = "CLASS", description = "The class of its elements.")
    private String type;

    @Option(
            names = {"-cp", "--class-path"},
            paramLabel = "PATH",
            showDefaultValue = Visibility.NEVER,
            description = "Where that class is: folders and jars.")
    private String classPath = "";

    @SuppressWarnings("NullAway.Init")
    ListOptions() {}

    /** What is done with the class, while it can be loaded. */
    interface Work {
        void with(Class<?> elements) throws IOException;
    }

    Path folder() {
        return folder;
    }

    /** Loads the class and does {@code work} with it. */
    void load(Work work) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), ListOptions.class.getClassLoader())) {
            work.with(Class.forName(type, false, loader));
        } catch (ClassNotFoundException e) {
            throw new IOException(
                    type + " is no class on the class path \"" + classPath + "\"; say where it is with --class-path",
                    e);
        }
    }
}
