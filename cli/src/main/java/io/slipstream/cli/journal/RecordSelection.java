package io.slipstream.cli.journal;

import io.slipstream.journal.tool.Selection;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** Which records a command shows. */
final class RecordSelection {
    @Option(names = "--from", paramLabel = "N", defaultValue = "1", description = "First sequence (default: ${DEFAULT-VALUE}).")
    private long from;

    @Option(names = "--to", paramLabel = "N", defaultValue = "9223372036854775807", showDefaultValue =
            Visibility.NEVER, description = "Last sequence (default: the newest).")
    private long to;

    @Option(names = "--type", paramLabel = "T", defaultValue = "-1", showDefaultValue =
            Visibility.NEVER, description = "Only records of this type.")
    private int type;

    @Option(names = "--marks", description = "Shows the journal's own marks and the headers of its segments, too.")
    private boolean marks;

    Selection selection() {
        return new Selection(from, to, type, marks);
    }

    Selection from(long sequence) {
        return new Selection(sequence, to, type, marks);
    }

    boolean hasFrom() {
        return from > 1;
    }
}
