package io.slipstream.cli.sim;

import io.slipstream.cli.console.Interruption;
import io.slipstream.cli.console.Usage;
import io.slipstream.sim.example.Shop;
import io.slipstream.sim.service.Simulation;
import io.slipstream.sim.service.SimulationFailure;
import io.slipstream.sim.service.SimulationReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** {@code slipstream sim service}. */
@Command(name = "service", mixinStandardHelpOptions = true,
        description = {"Runs a service with its clients on simulated disks, clocks and networks that fail.",
            "A life that breaks a promise is printed with its seed and what had to go wrong; --runs 1 with that seed "
            + "plays it again, and --trace shows every event."})
final class SimulateService implements Callable<Integer> {
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int MOST_BROKEN = 10;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the first life; from the clock if not given.",
            showDefaultValue = Visibility.NEVER)
    private long seed = System.nanoTime() & Integer.MAX_VALUE;

    @Option(names = "--runs", paramLabel = "N", defaultValue = "1000",
            description = "How many lives, each with the next seed.")
    private long runs;

    @Option(names = "--minutes", paramLabel = "M", defaultValue = "0",
            description = "Goes on for so long instead; 0 for as many lives as --runs says.")
    private long minutes;

    @Option(names = "--clients", paramLabel = "N", defaultValue = "3", description = "How many clients there are.")
    private int clients;

    @Option(names = "--trace", description = "Prints every event.")
    private boolean trace;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    SimulateService() {
    }

    @Override
    public Integer call() throws Exception {
        Usage.atLeast(spec, "--runs", runs, 1);
        Usage.atLeast(spec, "--minutes", minutes, 0);
        Usage.atLeast(spec, "--clients", clients, 1);
        AtomicBoolean goOn = new AtomicBoolean(true);
        return Interruption.endsInOrder(() -> goOn.set(false), "the life did not end",
                () -> simulate(System.out, goOn));
    }

    private int simulate(PrintStream out, AtomicBoolean goOn) {
        Simulation<Shop> simulation = Simulation.of(Shop::new, Shop::random).topics(Shop.NEWS).clients(clients)
                .invariant(Shop::requireBalance);
        if (trace) {
            simulation.trace(out::println);
        }
        out.println("first seed " + seed);
        SimulationReport report = new SimulationReport();
        long begin = System.nanoTime();
        long end = begin + TimeUnit.MINUTES.toNanos(minutes);
        long nextProgress = begin + PROGRESS_NANOS;
        long broken = 0;
        for (long life = 0; goOn.get() && broken < MOST_BROKEN; life++) {
            if (minutes > 0 ? System.nanoTime() - end >= 0 : life >= runs) {
                break;
            }
            try {
                simulation.run(seed + life, report);
            } catch (SimulationFailure e) {
                broken++;
                out.println(e.getMessage());
                out.println("    again: slipstream sim service --seed " + e.seed() + " --runs 1 --trace");
            }
            if (System.nanoTime() - nextProgress >= 0) {
                nextProgress += PROGRESS_NANOS;
                out.println(report.lives() + " lives, " + broken + " broken promises");
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        out.println(report);
        out.printf("%.0f lives a minute, %.0f simulated hours a minute, %.0f commands a second%n",
                report.lives() * 60 / seconds, report.simulatedNanos() / 3.6e12 * 60 / seconds,
                report.offered() / seconds);
        out.println(broken > 0 ? "PROMISES BROKEN: " + broken : "all promises kept");
        return broken == 0 ? 0 : 1;
    }
}
