package io.slipstream.cli.sim;

import io.slipstream.sim.journal.BrokenPromise;
import io.slipstream.sim.tally.Life;
import io.slipstream.sim.tally.LivesReport;
import java.io.PrintStream;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lives of several processes that are one service, with machines of the simulation. */
abstract class TallyLives extends Lives {
    private final LivesReport report;
    private @Nullable Consumer<String> trace;

    /** Creates the command; {@code change} is what it is called that another process takes over. */
    TallyLives(String change) {
        this.report = new LivesReport(change);
    }

    /**
     * Lives the life of a seed, and hands each event to {@code events} if that is not null.
     *
     * @throws BrokenPromise if a promise was not kept
     */
    abstract Life lifeOf(long seed, @Nullable Consumer<String> events);

    @Override
    void begin(@Nullable Consumer<String> events) {
        trace = events;
    }

    @Override
    @Nullable
    String live(long seed) {
        try {
            report.add(lifeOf(seed, trace));
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
