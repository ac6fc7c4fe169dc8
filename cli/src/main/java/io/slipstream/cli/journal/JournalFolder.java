package io.slipstream.cli.journal;

import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments that all journal commands share: where the journal is, and how to print. */
final class JournalFolder {
    @Parameters(index = "0", paramLabel = "DIR", description = "The folder of the journal.")
    private Path folder;

    @Option(names = "--json", description = "Writes JSON, one object a line.")
    private boolean json;

    @SuppressWarnings("NullAway.Init")
    JournalFolder() {}

    JournalTool tool(PrintStream out) throws IOException {
        return new JournalTool(folder, new Report(out, json));
    }

    JournalTool tool(PrintStream out, PayloadOptions payloads) throws IOException {
        return new JournalTool(folder, new Report(out, json), payloads.formats(folder));
    }
}
