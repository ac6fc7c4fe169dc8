package io.slipstream.cli.journal;

import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Selection;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code slipstream journal dump}. */
@Command(
        name = "dump",
        mixinStandardHelpOptions = true,
        description = "Shows records with their payloads, as they are in the files, durable or not yet, up to the "
                + "first damage.")
final class DumpCommand implements Callable<Integer> {
    @Mixin
    private JournalFolder folder;

    @Mixin
    private RecordSelection records;

    @Mixin
    private PayloadOptions payloads;

    @SuppressWarnings("NullAway.Init")
    DumpCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Selection selection = records.selection();
        if (folder.isMember()) {
            try (PayloadOptions shown = payloads) {
                return folder.member(System.out, shown, selection).dump(false) ? 0 : 1;
            }
        }
        try (PayloadOptions shown = payloads;
                JournalTool tool = folder.tool(System.out, shown)) {
            return tool.dump(selection) ? 0 : 1;
        }
    }
}
