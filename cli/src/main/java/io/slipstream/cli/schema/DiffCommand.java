package io.slipstream.cli.schema;

import io.slipstream.data.evolution.Changes;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code slipstream schema diff}. */
@Command(name = "diff", mixinStandardHelpOptions = true, description = "Prints what differs between two versions.")
final class DiffCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "OLD", description = "A file, or the name of a class.")
    private String before;

    @Parameters(index = "1", paramLabel = "NEW", description = "A file, or the name of a class.")
    private String after;

    @Mixin
    private SchemaSource source;

    @SuppressWarnings("NullAway.Init")
    DiffCommand() {}

    @Override
    public Integer call() throws IOException {
        Changes.between(source.read(before), source.read(after)).forEach(System.out::println);
        return 0;
    }
}
