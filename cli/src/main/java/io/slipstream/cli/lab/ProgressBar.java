package io.slipstream.cli.lab;

import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Figure;
import io.slipstream.lab.run.ExperimentResult;
import io.slipstream.lab.run.Progress;
import java.io.PrintWriter;
import java.util.Locale;

/** Shows how far the lab is: one line that is rewritten on a terminal, a line for each experiment elsewhere. */
final class ProgressBar implements Progress {
    private static final int CELLS = 24;
    /** A line that is wrapped could not be written over. */
    private static final int WIDTH = 79;

    private static final String CLEAR_REST_OF_LINE = "\033[K";

    private final PrintWriter out;
    private final boolean terminal;
    private final long startNanos = System.nanoTime();

    ProgressBar(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    @Override
    public void at(Experiment experiment, Case current, double doneSeconds, double totalSeconds) {
        if (terminal) {
            double part = totalSeconds <= 0 ? 0 : doneSeconds / totalSeconds;
            int full = (int) Math.round(part * CELLS);
            String line = "[" + "#".repeat(full) + ".".repeat(CELLS - full) + "] " + left(part, totalSeconds) + "  "
                    + experiment.card().id() + " " + experiment.card().title() + ": " + current.name();
            out.print("\r" + line.substring(0, Math.min(WIDTH, line.length())) + CLEAR_REST_OF_LINE);
            out.flush();
        }
    }

    /** The card's estimate at first, more and more what this machine really takes. */
    private String left(double part, double totalSeconds) {
        double elapsed = (System.nanoTime() - startNanos) / 1e9;
        double expected = elapsed + (1 - part) * totalSeconds;
        return Figure.duration(Math.max(0, expected * (1 - part))) + " left";
    }

    @Override
    public void finished(ExperimentResult result) {
        if (!terminal) {
            out.printf(Locale.ROOT, "%s on %s: %.0f s%n", result.id(), result.jvm(), result.seconds());
            out.flush();
        }
    }

    /** Leaves an empty line. */
    void clear() {
        if (terminal) {
            out.print("\r" + CLEAR_REST_OF_LINE);
            out.flush();
        }
    }
}
