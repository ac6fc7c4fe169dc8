package io.slipstream.cli.journal;

import io.slipstream.journal.tool.JournalTool;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code slipstream journal stat}. */
@Command(
        name = "stat",
        mixinStandardHelpOptions = true,
        description = "Counts records, bytes, types, tailers, snapshots. Exit code 1 if there is damage, up to which "
                + "it counts.")
final class StatCommand implements Callable<Integer> {
    @Mixin
    private JournalFolder folder;

    @SuppressWarnings("NullAway.Init")
    StatCommand() {}

    @Override
    public Integer call() throws IOException {
        try (JournalTool tool = folder.tool(System.out)) {
            return tool.stat() ? 0 : 1;
        }
    }
}
