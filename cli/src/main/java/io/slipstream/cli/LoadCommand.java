package io.slipstream.cli;

import io.slipstream.cli.console.Usage;
import io.slipstream.cli.exchange.LoadExchange;
import io.slipstream.cli.typed.LoadService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream load}. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        description = "Loads a running service and measures it.",
        subcommands = {LoadExchange.class, LoadService.class})
final class LoadCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    LoadCommand() {}

    @Override
    public void run() {
        throw Usage.which(spec);
    }
}
