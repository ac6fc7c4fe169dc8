package io.slipstream.cli.journal;

import io.slipstream.cli.console.Usage;
import io.slipstream.journal.tool.Selection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which records a command shows. */
final class RecordSelection {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--from", paramLabel = "N", description = "First sequence.")
    private @Nullable Long from;

    @Option(
            names = "--to",
            paramLabel = "N",
            defaultValue = "9223372036854775807",
            showDefaultValue = Visibility.NEVER,
            description = "Last sequence; the newest if not given.")
    private long to;

    @Option(
            names = "--type",
            paramLabel = "T",
            defaultValue = "-1",
            showDefaultValue = Visibility.NEVER,
            description = "Only records of this type.")
    private int type;

    @Option(names = "--marks", description = "Shows the journal's own marks and the headers of its segments, too.")
    private boolean marks;

    @SuppressWarnings("NullAway.Init")
    RecordSelection() {}

    Selection selection() {
        return from(1);
    }

    /** Returns the selection that begins at {@code --from}, or at {@code otherwise} if that was not given. */
    Selection from(long otherwise) {
        long sequence = from == null ? otherwise : from;
        Usage.atLeast(spec, "--from", sequence, 1);
        Usage.atLeast(spec, "--to", to, from == null ? 1 : from);
        Usage.require(
                spec,
                type >= Selection.ANY_TYPE && type <= Short.MAX_VALUE,
                "--type",
                "from 0 to " + Short.MAX_VALUE,
                type);
        return new Selection(sequence, to, type, marks);
    }

    boolean hasFrom() {
        return from != null;
    }
}
