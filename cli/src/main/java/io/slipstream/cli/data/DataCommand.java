package io.slipstream.cli.data;

import io.slipstream.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream data}. */
@Command(
        name = "data",
        mixinStandardHelpOptions = true,
        description = "Makes the files of huge lists, and reads them, also beside the process that changes them.",
        subcommands = {ExportCommand.class, ImportCommand.class, QueryCommand.class, SealCommand.class})
public final class DataCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public DataCommand() {}

    @Override
    public void run() {
        throw Usage.which(spec);
    }
}
