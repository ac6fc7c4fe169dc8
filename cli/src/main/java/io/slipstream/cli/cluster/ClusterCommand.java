package io.slipstream.cli.cluster;

import io.slipstream.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream cluster}. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        description = "A service on several machines: 'serve NAME --cluster FILE --member N' runs one of its members.",
        subcommands = {
            StatusCommand.class,
            SnapshotCommand.class,
            TransferCommand.class,
            UpgradeCommand.class,
            VerifyCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            SkipCommand.class
        })
public final class ClusterCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public ClusterCommand() {}

    @Override
    public void run() {
        throw Usage.which(spec);
    }
}
