package io.slipstream.cli.journal;

import io.slipstream.journal.tool.JournalTool;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code slipstream journal snapshots}. */
@Command(
        name = "snapshots",
        mixinStandardHelpOptions = true,
        description = "Lists the snapshots and checks them. Exit code 0 if all are whole, 1 if not.")
final class SnapshotsCommand implements Callable<Integer> {
    @Mixin
    private JournalFolder folder;

    @SuppressWarnings("NullAway.Init")
    SnapshotsCommand() {}

    @Override
    public Integer call() throws IOException {
        try (JournalTool tool = folder.tool(System.out)) {
            return tool.snapshots() ? 0 : 1;
        }
    }
}
