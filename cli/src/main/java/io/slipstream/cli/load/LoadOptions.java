package io.slipstream.cli.load;

import io.slipstream.cli.console.Usage;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How much load, for how long, and over how many connections: options of every command that makes load. */
public final class LoadOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--rate",
            paramLabel = "R",
            defaultValue = "20000",
            description = "Commands a second, all connections together.")
    private double rate;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "5",
            description = "How long a load lasts; fractions are allowed.")
    private double seconds;

    @Option(names = "--connections", paramLabel = "N", defaultValue = "4", description = "How many client connections.")
    private int connections;

    @Option(names = "--seed", paramLabel = "SEED", defaultValue = "1", description = "Seed of the commands.")
    private long seed;

    /** Creates the options; picocli fills them in. */
    @SuppressWarnings("NullAway.Init")
    public LoadOptions() {}

    /** Refuses values that make no sense. */
    public void check() {
        Usage.aboveZero(command, "--rate", rate, 100_000_000);
        Usage.aboveZero(command, "--seconds", seconds, 1_000_000);
        Usage.range(command, "--connections", connections, 1, 1000);
    }

    /** Returns the commands a second of all connections together. */
    public double rate() {
        return rate;
    }

    /** Returns the length of a load. */
    public double seconds() {
        return seconds;
    }

    /** Returns the number of connections. */
    public int connections() {
        return connections;
    }

    /** Returns the seed of the commands. */
    public long seed() {
        return seed;
    }
}
