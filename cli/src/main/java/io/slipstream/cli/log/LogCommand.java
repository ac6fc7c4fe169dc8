package io.slipstream.cli.log;

import io.slipstream.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream log}. */
@Command(
        name = "log",
        mixinStandardHelpOptions = true,
        description = "Reads a binary log, also while a program writes it. Changes nothing.",
        subcommands = {LogCatCommand.class, LogTailCommand.class, LogGrepCommand.class})
public final class LogCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public LogCommand() {}

    @Override
    public void run() {
        throw Usage.which(spec);
    }
}
