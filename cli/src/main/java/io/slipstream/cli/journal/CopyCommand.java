package io.slipstream.cli.journal;

import io.slipstream.cli.exchange.ExchangeFolder;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.service.protocol.SchemaFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code slipstream journal copy}. */
@Command(
        name = "copy",
        mixinStandardHelpOptions = true,
        description = {
            "Copies a journal as it is at one moment, also while a service writes it, and checks the copy. What a "
                    + "service keeps beside its log to read and replay it goes along: commands.schema and "
                    + "exchange.properties."
        })
final class CopyCommand implements Callable<Integer> {
    /** What of a service's folder belongs to its log. The role of a site does not: the copy has none. */
    private static final List<String> COMPANIONS = List.of(SchemaFile.NAME, ExchangeFolder.FILE);

    @Mixin
    private JournalFolder folder;

    @Parameters(index = "1", paramLabel = "TARGET", description = "A folder that is not there yet.")
    private Path target;

    @SuppressWarnings("NullAway.Init")
    CopyCommand() {}

    @Override
    public Integer call() throws IOException {
        if (folder.isMember()) {
            return folder.member(System.out).copy(target, COMPANIONS) ? 0 : 1;
        }
        try (JournalTool tool = folder.tool(System.out)) {
            return tool.copy(target, COMPANIONS) ? 0 : 1;
        }
    }
}
