package io.slipstream.cli.schema;

import io.slipstream.core.text.SettingsText;
import io.slipstream.data.container.ContainerFileReader;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Schema;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** Where schemas come from: files, or classes. */
final class SchemaSource {
    @Option(
            names = {"-cp", "--class-path"},
            paramLabel = "PATH",
            showDefaultValue = Visibility.NEVER,
            description = "Where classes are: folders and jars.")
    private String classPath = "";

    String classPath() {
        return classPath;
    }

    Definitions read(String schema) throws IOException {
        Path file = Path.of(schema);
        if (ContainerFileReader.isContainerFile(file)) {
            try (ContainerFileReader<?> container = ContainerFileReader.openBytes(file)) {
                return container.definitions();
            }
        }
        if (Files.isRegularFile(file)) {
            return Definitions.parse(SettingsText.read(file));
        }
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(urls.toArray(new URL[0]), SchemaSource.class.getClassLoader())) {
            return Schema.of(Class.forName(schema, false, loader)).definitions();
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    schema + " is neither a file nor a class on the class path \"" + classPath
                            + "\"; give --class-path",
                    e);
        }
    }
}
