package io.slipstream.cli.ipc;

import io.slipstream.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream ipc}. */
@Command(
        name = "ipc",
        mixinStandardHelpOptions = true,
        description = "Shows channels between processes, and what flows in them, beside running programs.",
        subcommands = {ListCommand.class, StatCommand.class, TailCommand.class, PublishCommand.class, BenchCommand.class
        })
public final class IpcCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public IpcCommand() {}

    @Override
    public void run() {
        throw Usage.which(spec);
    }
}
