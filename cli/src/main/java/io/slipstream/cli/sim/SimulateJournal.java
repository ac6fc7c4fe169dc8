package io.slipstream.cli.sim;

import io.slipstream.cli.console.Interruption;
import io.slipstream.cli.console.Usage;
import io.slipstream.sim.journal.JournalSimulation;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream sim journal}. */
@Command(
        name = "journal",
        mixinStandardHelpOptions = true,
        description = {
            "Runs journals on a disk that loses power, fails, fills up and decays, and compares them with a "
                    + "model.",
            "A run that breaks a promise is printed with its seed; --runs 1 with that seed plays it again."
        })
final class SimulateJournal implements Callable<Integer> {
    private static final int PROGRESS_RUNS = 10_000;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Seed of the first run; from the clock if not given.",
            showDefaultValue = Visibility.NEVER)
    private long seed = System.nanoTime() & Integer.MAX_VALUE;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "10000",
            description = "How many runs, each with the next seed.")
    private long runs;

    @Spec
    private CommandSpec spec;

    private final LongFunction<JournalSimulation> simulation;

    SimulateJournal() {
        this(JournalSimulation::new);
    }

    /** Runs what {@code simulation} makes of each seed. */
    @SuppressWarnings("NullAway.Init")
    SimulateJournal(LongFunction<JournalSimulation> simulation) {
        this.simulation = simulation;
    }

    @Override
    public Integer call() throws Exception {
        Usage.atLeast(spec, "--runs", runs, 1);
        AtomicBoolean goOn = new AtomicBoolean(true);
        return Interruption.endsInOrder(() -> goOn.set(false), "the run did not end", () -> simulate(System.out, goOn));
    }

    private int simulate(PrintStream out, AtomicBoolean goOn) {
        out.println("seeds " + seed + " to " + (seed + runs - 1));
        long crashes = 0;
        long broken = 0;
        long run = 0;
        for (; run < runs && goOn.get(); run++) {
            try {
                crashes += simulation.apply(seed + run).run();
            } catch (RuntimeException | Error e) {
                broken++;
                out.println("seed " + (seed + run) + ": " + e.getMessage());
                if (runs == 1) {
                    e.printStackTrace(out);
                } else {
                    out.println("    again: slipstream sim journal --seed " + (seed + run) + " --runs 1");
                }
            }
            if ((run + 1) % PROGRESS_RUNS == 0) {
                out.println((run + 1) + " runs, " + crashes + " crashes, " + broken + " broken promises");
            }
        }
        out.println((broken > 0 ? "PROMISES BROKEN: " : run < runs ? "interrupted: " : "all promises kept: ") + run
                + " runs, " + crashes + " crashes, "
                + broken + " broken promises");
        return broken == 0 ? 0 : 1;
    }
}
