package io.slipstream.cli.journal;

import io.slipstream.journal.tool.JournalTool;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code slipstream journal repair}. */
@Command(
        name = "repair",
        mixinStandardHelpOptions = true,
        description = {
            "Cuts a journal off at its first damage, so that it can be opened again, wipes bytes that "
                    + "nobody has written "
                    + "behind full segments, and keeps what it takes away aside.",
            "What had been acknowledged is lost if the damage is in it: restore a copy if you have one."
        })
final class RepairCommand implements Callable<Integer> {
    @Mixin
    private JournalFolder folder;

    @Option(names = "--dry-run", description = "Says what would be cut and changes nothing.")
    private boolean dryRun;

    @SuppressWarnings("NullAway.Init")
    RepairCommand() {}

    @Override
    public Integer call() throws IOException {
        try (JournalTool tool = folder.tool(System.out)) {
            return tool.repair(dryRun) ? 0 : 1;
        }
    }
}
