package io.slipstream.cli.schema;

import io.slipstream.cli.console.UserClasses;
import io.slipstream.core.text.SettingsText;
import io.slipstream.data.container.ContainerFileReader;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.schema.SchemaException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        if (Files.exists(file) && !Files.isDirectory(file)) {
            return parse(file);
        }
        try (UserClasses classes = new UserClasses(classPath)) {
            Class<?> type = classes.named(
                    schema,
                    Files.isDirectory(file) ? "a folder, neither a file nor a class" : "neither a file nor a class");
            return UserClasses.use(type, each -> Schema.of(each).definitions());
        }
    }

    private static Definitions parse(Path file) throws IOException {
        try {
            return Definitions.parse(SettingsText.read(file));
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is no schema: it is not text in UTF-8", e);
        } catch (SchemaException e) {
            throw new IOException(file + " is no schema: " + e.getMessage(), e);
        }
    }
}
