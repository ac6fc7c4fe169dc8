package io.slipstream.cli.sim;

import io.slipstream.sim.journal.BrokenPromise;
import io.slipstream.sim.pair.PairReport;
import io.slipstream.sim.pair.PairSimulation;
import java.io.PrintStream;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code slipstream sim sites}. */
@Command(
        name = "sites",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a service and its backup site, and promotes the backup, on simulated disks and networks that fail.",
            "A life that breaks a promise is printed with its seed; --runs 1 with that seed plays it again, and"
                    + " --trace shows every event."
        })
final class SimulateSites extends Lives {
    private final PairReport report = new PairReport();
    private @Nullable Consumer<String> trace;

    @Override
    void begin(@Nullable Consumer<String> events) {
        trace = events;
    }

    @Override
    @Nullable
    String live(long seed) {
        PairSimulation life = new PairSimulation(seed);
        if (trace != null) {
            life.trace(trace);
        }
        try {
            report.add(life.run());
            return null;
        } catch (BrokenPromise e) {
            return "seed " + seed + ": " + e.getMessage();
        }
    }

    @Override
    long simulatedNanos() {
        return report.simulatedNanos();
    }

    @Override
    Map<String, Long> faults() {
        return report.disasters();
    }

    @Override
    boolean end(PrintStream out, Outcome outcome) {
        out.println(report);
        boolean isGood = outcome.broken().isEmpty();
        out.println(
                isGood
                        ? outcome.isStopped() ? "interrupted" : "all promises kept"
                        : "PROMISES BROKEN: " + outcome.broken().size());
        return isGood;
    }
}
