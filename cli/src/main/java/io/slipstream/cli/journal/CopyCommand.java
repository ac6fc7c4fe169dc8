package io.slipstream.cli.journal;

import io.slipstream.journal.tool.JournalTool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code slipstream journal copy}. */
@Command(
        name = "copy",
        mixinStandardHelpOptions = true,
        description = {"Copies a journal as it is at one moment, also while a service writes it, and checks the copy."})
final class CopyCommand implements Callable<Integer> {
    @Mixin
    private JournalFolder folder;

    @Parameters(index = "1", paramLabel = "TARGET", description = "A folder that is not there yet.")
    private Path target;

    @SuppressWarnings("NullAway.Init")
    CopyCommand() {}

    @Override
    public Integer call() throws IOException {
        try (JournalTool tool = folder.tool(System.out)) {
            return tool.copy(target) ? 0 : 1;
        }
    }
}
