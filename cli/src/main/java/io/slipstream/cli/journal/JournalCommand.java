package io.slipstream.cli.journal;

import io.slipstream.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream journal}. */
@Command(
        name = "journal",
        mixinStandardHelpOptions = true,
        description = "Looks at the journal in a folder, also while a service writes it. Changes nothing unless told "
                + "to.",
        subcommands = {
            DumpCommand.class,
            VerifyCommand.class,
            StatCommand.class,
            TailCommand.class,
            RepairCommand.class,
            IndexCommand.class,
            SnapshotsCommand.class,
            SkipCommand.class,
            CopyCommand.class,
            CheckCommand.class,
            BisectCommand.class
        })
public final class JournalCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public JournalCommand() {}

    @Override
    public void run() {
        throw Usage.which(spec);
    }
}
