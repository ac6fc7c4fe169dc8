package io.slipstream.cli.journal;

import io.slipstream.journal.tool.JournalTool;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code slipstream journal skip}. */
@Command(
        name = "skip",
        mixinStandardHelpOptions = true,
        description = {
            "Lets replay pass over one record at every later start, because it ends the service each time.",
            "The record stays in the journal. Stop the service before."
        })
final class SkipCommand implements Callable<Integer> {
    @Mixin
    private JournalFolder folder;

    @Parameters(index = "1", paramLabel = "SEQUENCE", description = "The sequence of the record.")
    private Long sequence;

    @SuppressWarnings("NullAway.Init")
    SkipCommand() {}

    @Override
    public Integer call() throws IOException {
        try (JournalTool tool = folder.tool(System.out)) {
            tool.skip(sequence);
            return 0;
        }
    }
}
