package io.slipstream.cli.journal;

import io.slipstream.journal.tool.JournalTool;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code slipstream journal index}. */
@Command(
        name = "index",
        mixinStandardHelpOptions = true,
        description = "Lists the segments and whether they have an index.")
final class IndexCommand implements Callable<Integer> {
    @Mixin
    private JournalFolder folder;

    @Option(names = "--build", description = "Writes the indexes that are missing.")
    private boolean build;

    @SuppressWarnings("NullAway.Init")
    IndexCommand() {}

    @Override
    public Integer call() throws IOException {
        try (JournalTool tool = folder.tool(System.out)) {
            tool.index(build);
            return 0;
        }
    }
}
