package io.slipstream.cli.sim;

import io.slipstream.cli.console.Interruption;
import io.slipstream.cli.console.Usage;
import io.slipstream.log.LogSystem;
import io.slipstream.log.event.Level;
import io.slipstream.sim.journal.BrokenPromise;
import io.slipstream.sim.pair.PairLife;
import io.slipstream.sim.pair.PairReport;
import io.slipstream.sim.pair.PairSimulation;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream sim sites}. */
@Command(
        name = "sites",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a service and its backup site, and promotes the backup, on simulated disks and networks that fail.",
            "A life that breaks a promise is printed with its seed; --runs 1 with that seed plays it again, and"
                    + " --trace shows every event."
        })
final class SimulateSites implements Callable<Integer> {
    private static final int PROGRESS_RUNS = 100;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Seed of the first life; from the clock if not given.",
            showDefaultValue = Visibility.NEVER)
    private long seed = System.nanoTime() & Integer.MAX_VALUE;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many lives, each with the next seed.")
    private long runs;

    @Option(names = "--trace", description = "Prints every event.")
    private boolean trace;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    SimulateSites() {}

    @Override
    public Integer call() throws Exception {
        Usage.atLeast(spec, "--runs", runs, 1);
        // What simulated sites have to say is in the trace.
        LogSystem.shared().level("io.slipstream", Level.OFF);
        AtomicBoolean goOn = new AtomicBoolean(true);
        return Interruption.endsInOrder(
                () -> goOn.set(false), "the life did not end", () -> simulate(System.out, goOn));
    }

    private int simulate(PrintStream out, AtomicBoolean goOn) {
        out.println("first seed " + seed);
        PairReport report = new PairReport();
        long broken = 0;
        long run = 0;
        for (; run < runs && goOn.get(); run++) {
            PairSimulation life = new PairSimulation(seed + run);
            if (trace) {
                life.trace(out::println);
            }
            try {
                PairLife lived = life.run();
                report.add(lived);
            } catch (BrokenPromise e) {
                broken++;
                out.println("seed " + (seed + run) + ": " + e.getMessage());
                out.println("    again: slipstream sim sites --seed " + (seed + run) + " --runs 1 --trace");
            }
            if ((run + 1) % PROGRESS_RUNS == 0) {
                out.println((run + 1) + " lives, " + broken + " broken promises");
            }
        }
        out.println(report);
        out.println(broken > 0 ? "PROMISES BROKEN: " + broken : run < runs ? "interrupted" : "all promises kept");
        return broken == 0 ? 0 : 1;
    }
}
