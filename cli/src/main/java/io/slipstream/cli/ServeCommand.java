package io.slipstream.cli;

import io.slipstream.cli.console.Usage;
import io.slipstream.cli.exchange.ServeExchange;
import io.slipstream.cli.keyvalue.ServeKeyValue;
import io.slipstream.cli.ledger.ServeLedger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream serve}. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Runs a service until it is stopped.",
        subcommands = {ServeExchange.class, ServeKeyValue.class, ServeLedger.class})
final class ServeCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    ServeCommand() {}

    @Override
    public void run() {
        throw Usage.which(spec);
    }
}
