package io.slipstream.cli.journal;

import io.slipstream.cluster.files.MemberLog;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.RecordPrinter;
import io.slipstream.journal.tool.Report;
import io.slipstream.journal.tool.Selection;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments that all journal commands share: where the journal is, and how to print. */
final class JournalFolder {
    @Parameters(
            index = "0",
            paramLabel = "DIR",
            description = "The folder of the journal, or with dump, tail, verify and copy of a cluster's member.")
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

    /** Returns whether it is the folder of a cluster's member, whose log is no journal. */
    boolean isMember() {
        return MemberLog.isIn(folder);
    }

    MemberTool member(PrintStream out) {
        return new MemberTool(folder, new RecordPrinter(new Report(out, json), List.of(), Selection.ALL));
    }

    MemberTool member(PrintStream out, PayloadOptions payloads, Selection selection) throws IOException {
        if (selection.marks()) {
            throw new IOException(
                    "the log of a cluster's member has no marks and no segments of a journal: leave out" + " --marks");
        }
        return new MemberTool(folder, new RecordPrinter(new Report(out, json), payloads.formats(folder), selection));
    }
}
