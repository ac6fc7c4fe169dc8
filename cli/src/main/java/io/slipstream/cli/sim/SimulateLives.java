package io.slipstream.cli.sim;

import io.slipstream.cli.console.OutputFile;
import io.slipstream.cli.console.Usage;
import io.slipstream.sim.service.Simulation;
import io.slipstream.sim.service.SimulationFailure;
import io.slipstream.sim.service.SimulationReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Lives of a service. */
abstract class SimulateLives extends Lives {
    @Option(names = "--clients", paramLabel = "N", defaultValue = "3", description = "How many clients there are.")
    private int clients;

    @Option(names = "--report", paramLabel = "FILE", description = "Writes a page about it all, as HTML.")
    private @Nullable Path page;

    private final SimulationReport report = new SimulationReport();
    private Simulation<?> simulation;

    @SuppressWarnings("NullAway.Init")
    SimulateLives() {}

    /** Describes the lives. */
    abstract Simulation<?> simulation();

    @Override
    void check() {
        Usage.atLeast(spec(), "--clients", clients, 1);
        Path parent = page == null ? null : page.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            throw new ParameterException(
                    spec().commandLine(), "--report " + page + ": there is no folder " + parent + "; create it before");
        }
    }

    @Override
    void begin(@Nullable Consumer<String> events) {
        simulation = simulation().clients(clients);
        if (events != null) {
            simulation.trace(events);
        }
    }

    @Override
    @Nullable
    String live(long seed) {
        try {
            simulation.run(seed, report);
            return null;
        } catch (SimulationFailure e) {
            return e.getMessage();
        }
    }

    @Override
    String furtherOptions() {
        return " --clients " + clients;
    }

    @Override
    boolean end(PrintStream out, Outcome outcome) throws IOException {
        // Who stops them, or looks at the trace of one, knows himself that this proves nothing.
        boolean isProof = !outcome.isStopped() && !outcome.isTraced();
        LivesSummary summary = new LivesSummary(spec().name(), clients, report, outcome, isProof ? lacksProof() : null);
        out.print(summary.text());
        if (page != null) {
            OutputFile.write(page, summary.html());
            out.println("see " + page);
        }
        return summary.isGood();
    }

    @Override
    long simulatedNanos() {
        return report.simulatedNanos();
    }

    @Override
    Map<String, Long> faults() {
        return report.disasters().entrySet().stream()
                .collect(Collectors.toMap(each -> each.getKey().name(), Map.Entry::getValue));
    }

    /** Returns why these lives prove nothing, or null. */
    private @Nullable String lacksProof() {
        try {
            report.requireProof(true);
            return null;
        } catch (AssertionError e) {
            return e.getMessage();
        }
    }
}
