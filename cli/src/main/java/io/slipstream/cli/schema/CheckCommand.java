package io.slipstream.cli.schema;

import io.slipstream.data.evolution.Change;
import io.slipstream.data.evolution.Changes;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code slipstream schema check}. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Says whether bytes of the old version stay readable. Exit code 1 if they do not.")
final class CheckCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "OLD", description = "A file, or the name of a class.")
    private String before;

    @Parameters(index = "1", paramLabel = "NEW", description = "A file, or the name of a class.")
    private String after;

    @Mixin
    private SchemaSource source;

    @SuppressWarnings("NullAway.Init")
    CheckCommand() {}

    @Override
    public Integer call() throws IOException {
        List<Change> changes = Changes.between(source.read(before), source.read(after));
        List<Change> breaking =
                changes.stream().filter(change -> !change.isAllowed()).toList();
        breaking.forEach(System.out::println);
        System.out.println(
                breaking.isEmpty()
                        ? "Old data stays readable. Changes: " + changes.size()
                        : "Old data does not stay readable.");
        return breaking.isEmpty() ? 0 : 1;
    }
}
