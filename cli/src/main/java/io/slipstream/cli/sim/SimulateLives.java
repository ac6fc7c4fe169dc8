package io.slipstream.cli.sim;

import io.slipstream.cli.console.Interruption;
import io.slipstream.cli.console.OutputFile;
import io.slipstream.cli.console.Usage;
import io.slipstream.log.LogSystem;
import io.slipstream.log.event.Level;
import io.slipstream.sim.service.Simulation;
import io.slipstream.sim.service.SimulationFailure;
import io.slipstream.sim.service.SimulationReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lives of a service in a simulated world, as many as are asked for. */
abstract class SimulateLives implements Callable<Integer> {
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int MOST_BROKEN = 10;

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

    @Option(
            names = "--minutes",
            paramLabel = "M",
            defaultValue = "0",
            description = "Goes on for so long instead; 0 for as many lives as --runs says.")
    private long minutes;

    @Option(names = "--clients", paramLabel = "N", defaultValue = "3", description = "How many clients there are.")
    private int clients;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description =
                    "How many lives go on at once; one for each " + "processor if not given, and one with --trace.",
            showDefaultValue = Visibility.NEVER)
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--trace", description = "Prints every event.")
    private boolean trace;

    @Option(names = "--report", paramLabel = "FILE", description = "Writes a page about it all, as HTML.")
    private @Nullable Path page;

    @Spec
    private CommandSpec spec;

    private final List<String> broken = new CopyOnWriteArrayList<>();
    private final AtomicLong next = new AtomicLong();
    private final List<Throwable> defects = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway.Init")
    SimulateLives() {}

    /** Describes the lives. */
    abstract Simulation<?> simulation();

    @Override
    public Integer call() throws Exception {
        Usage.atLeast(spec, "--runs", runs, 1);
        Usage.atLeast(spec, "--minutes", minutes, 0);
        Usage.atLeast(spec, "--clients", clients, 1);
        Usage.atLeast(spec, "--threads", threads, 1);
        Path parent = page == null ? null : page.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            throw new ParameterException(
                    spec.commandLine(), "--report " + page + ": there is no folder " + parent + "; create it before");
        }
        // What simulated services have to say is in the trace.
        LogSystem.shared().level("io.slipstream.service", Level.OFF);
        AtomicBoolean goOn = new AtomicBoolean(true);
        return Interruption.endsInOrder(
                () -> goOn.set(false), "the life did not end", () -> simulate(System.out, goOn));
    }

    private int simulate(PrintStream out, AtomicBoolean goOn) throws IOException, InterruptedException {
        Simulation<?> simulation = simulation().clients(clients);
        if (trace) {
            simulation.trace(out::println);
        }
        out.println("first seed " + seed);
        SimulationReport report = new SimulationReport();
        long begin = System.nanoTime();
        double cpuBefore = cpuSeconds();
        liveOnAllThreads(simulation, report, out, goOn);
        LivesSummary summary = new LivesSummary(
                spec.name(),
                seed,
                clients,
                report,
                (System.nanoTime() - begin) / 1e9,
                cpuSeconds() - cpuBefore,
                List.copyOf(broken),
                lacksProof(report, goOn));
        out.print(summary.text());
        if (page != null) {
            OutputFile.write(page, summary.html());
            out.println("see " + page);
        }
        return summary.isGood() ? 0 : 1;
    }

    /** Returns why these lives prove nothing, or null; who stopped them or looks at the trace of one knows himself. */
    private @Nullable String lacksProof(SimulationReport report, AtomicBoolean goOn) {
        if (trace || !goOn.get()) {
            return null;
        }
        try {
            report.requireProof(true);
            return null;
        } catch (AssertionError e) {
            return e.getMessage();
        }
    }

    /** Returns how much processor time this process has used. */
    private static double cpuSeconds() {
        return ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toNanos()
                / 1e9;
    }

    private void liveOnAllThreads(
            Simulation<?> simulation, SimulationReport report, PrintStream out, AtomicBoolean goOn)
            throws InterruptedException {
        List<Thread> lives = new ArrayList<>();
        for (int i = 0; i < (trace ? 1 : threads); i++) {
            lives.add(Thread.ofPlatform().name("slipstream-sim-" + i).start(() -> {
                try {
                    live(simulation, report, out, goOn);
                } catch (RuntimeException | Error e) {
                    defects.add(e);
                    goOn.set(false);
                }
            }));
        }
        for (Thread each : lives) {
            each.join();
        }
        if (!defects.isEmpty()) {
            throw new IllegalStateException(
                    "the simulator itself has failed: " + defects.getFirst(), defects.getFirst());
        }
    }

    private void live(Simulation<?> simulation, SimulationReport report, PrintStream out, AtomicBoolean goOn) {
        long begin = System.nanoTime();
        long end = begin + TimeUnit.MINUTES.toNanos(minutes);
        long nextProgress = begin + PROGRESS_NANOS;
        while (goOn.get() && broken.size() < MOST_BROKEN) {
            long life = next.getAndIncrement();
            if (minutes > 0 ? System.nanoTime() - end >= 0 : life >= runs) {
                break;
            }
            try {
                simulation.run(seed + life, report);
            } catch (SimulationFailure e) {
                broken.add(e.getMessage());
                out.println(e.getMessage());
                out.println("    again: slipstream sim " + spec.name() + " --seed " + e.seed() + " --runs 1 --clients "
                        + clients + " --trace");
            }
            if (Thread.currentThread().getName().endsWith("-0") && System.nanoTime() - nextProgress >= 0) {
                nextProgress += PROGRESS_NANOS;
                out.println(report.lives() + " lives, " + broken.size() + " broken promises");
            }
        }
    }
}
