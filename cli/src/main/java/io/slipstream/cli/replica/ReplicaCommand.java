package io.slipstream.cli.replica;

import io.slipstream.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream replica}. */
@Command(
        name = "replica",
        mixinStandardHelpOptions = true,
        description = "A second site that gets everything a service's journal holds, and can take over.",
        subcommands = {ServeBackup.class, StatusCommand.class, PromoteCommand.class})
public final class ReplicaCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public ReplicaCommand() {}

    @Override
    public void run() {
        throw Usage.which(spec);
    }
}
