package io.slipstream.cli.data;

import io.slipstream.cli.console.UserClasses;
import io.slipstream.data.schema.Schema;
import java.io.IOException;
import java.nio.file.Path;
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
        try (UserClasses classes = new UserClasses(classPath)) {
            Class<?> elements = classes.named(type, "no class");
            UserClasses.use(elements, Schema::of);
            work.with(elements);
        }
    }
}
