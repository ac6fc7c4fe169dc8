package io.slipstream.cli.schema;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code slipstream schema show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Prints a schema as text. Keep it beside the source, for 'schema check' to compare with.")
final class ShowCommand implements Callable<Integer> {
    @Parameters(paramLabel = "SCHEMA", description = "A file, or the name of a class.")
    private String schema;

    @Mixin
    private SchemaSource source;

    @SuppressWarnings("NullAway.Init")
    ShowCommand() {}

    @Override
    public Integer call() throws IOException {
        System.out.print(source.read(schema));
        return 0;
    }
}
