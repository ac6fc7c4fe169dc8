package io.slipstream.cli.sim;

import io.slipstream.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream sim}. */
@Command(
        name = "sim",
        mixinStandardHelpOptions = true,
        description = "Runs a part of the toolkit on simulated devices that fail, from a seed.",
        subcommands = {
            SimulateJournal.class,
            SimulateService.class,
            SimulateExchange.class,
            SimulateLedger.class,
            SimulateKeyValue.class,
            SimulateSites.class,
            SimulateCluster.class
        })
public final class SimCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public SimCommand() {}

    @Override
    public void run() {
        throw Usage.which(spec);
    }
}
