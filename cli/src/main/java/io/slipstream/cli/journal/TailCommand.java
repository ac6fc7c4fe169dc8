package io.slipstream.cli.journal;

import io.slipstream.cli.console.Usage;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Selection;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream journal tail}. */
@Command(
        name = "tail",
        mixinStandardHelpOptions = true,
        description = "Shows the last records, and with --follow those that come: as they are in the files, durable or "
                + "not yet.")
final class TailCommand implements Callable<Integer> {
    private static final int LAST = 10;

    @Mixin
    private JournalFolder folder;

    @Mixin
    private RecordSelection records;

    @Mixin
    private PayloadOptions payloads;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            description = "How many of the last records; " + LAST + " if neither this nor --from is given.")
    private @Nullable Long count;

    @Option(
            names = {"-f", "--follow"},
            description = "Goes on with the records that come, until it is stopped.")
    private boolean follow;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    TailCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        long last = count == null ? LAST : count;
        Usage.atLeast(spec, "--count", last, 0);
        if (count != null && records.hasFrom()) {
            throw Usage.wrong(spec, "--count and --from exclude each other");
        }
        if (folder.isMember()) {
            try (PayloadOptions shown = payloads) {
                Selection selection = records.hasFrom()
                        ? records.selection()
                        : records.from(folder.member(System.out).lastSequences(last));
                return folder.member(System.out, shown, selection).dump(follow) ? 0 : 1;
            }
        }
        try (PayloadOptions shown = payloads;
                JournalTool tool = folder.tool(System.out, shown)) {
            Selection selection = records.hasFrom() ? records.selection() : records.from(tool.lastSequences(last));
            return (follow ? tool.follow(selection) : tool.dump(selection)) ? 0 : 1;
        }
    }
}
