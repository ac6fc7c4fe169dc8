package io.slipstream.cli.lab;

import io.slipstream.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The lab's commands. */
@Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Experiments on your own machine, with a report.",
        subcommands = {ListCommand.class, ExplainCommand.class, RunCommand.class, CompareCommand.class})
public final class LabCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public LabCommand() {}

    @Override
    public void run() {
        throw Usage.which(spec);
    }
}
