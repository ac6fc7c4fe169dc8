package io.slipstream.lab.report;

import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Ratio;
import io.slipstream.lab.Sample;
import io.slipstream.lab.run.ExperimentResult;
import io.slipstream.lab.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Two runs side by side: of two machines, JVMs or dates. */
public final class Comparison {

    /**
     * A figure that both runs have.
     *
     * @param ratio how many times A is B, with its range
     */
    public record Line(String experiment, String name, String metric, Sample a, Sample b, Ratio ratio) {

        /** Whether the middle halves lie apart, so that the difference is more than noise. */
        public boolean differs() {
            return ratio.high() < 1 || ratio.low() > 1;
        }
    }

    private Comparison() {}

    /** The figures that both runs have; of several JVMs in a run the first counts. */
    public static List<Line> of(RunResult a, RunResult b) {
        List<Line> lines = new ArrayList<>();
        for (ExperimentResult mine : a.experiments()) {
            Findings left = mine.findings();
            b.experiments().stream()
                    .filter(e -> e.id().equals(mine.id()))
                    .findFirst()
                    .ifPresent(theirs -> {
                        Findings right = theirs.findings();
                        for (String metric : left.metrics()) {
                            for (String series : left.series(metric)) {
                                for (String x : left.xs(metric)) {
                                    Sample one = left.find(series, x, metric);
                                    Sample other = right.find(series, x, metric);
                                    if (one != null && other != null) {
                                        lines.add(new Line(
                                                mine.id(),
                                                x.isEmpty() ? series : series + ", " + x,
                                                metric,
                                                one,
                                                other,
                                                Ratio.of(one, other)));
                                    }
                                }
                            }
                        }
                    });
        }
        return lines;
    }

    /** The comparison as a table for a terminal. */
    public static String table(RunResult a, RunResult b) {
        List<Line> lines = of(a, b);
        StringBuilder out = new StringBuilder();
        out.append("A: ").append(title(a)).append("\nB: ").append(title(b)).append("\n\n");
        if (lines.isEmpty()) {
            return out.append("They have no figure in common.\n").toString();
        }
        out.append(String.format(
                Locale.ROOT, "%-4s %-38s %-18s %12s %12s %9s%n", "", "case", "metric", "A", "B", "A / B"));
        for (Line line : lines) {
            out.append(String.format(
                    Locale.ROOT,
                    "%-4s %-38s %-18s %12s %12s %9s  %s%n",
                    line.experiment(),
                    line.name(),
                    line.metric(),
                    Figure.show(line.a().median()),
                    Figure.show(line.b().median()),
                    Figure.show(line.ratio().median()),
                    line.differs() ? "" : "within the spread"));
        }
        return out.toString();
    }

    private static String title(RunResult run) {
        return run.machine().cpu() + ", " + run.machine().cpus() + " processors, "
                + String.join(", ", run.machine().jvms()) + ", "
                + run.form().name().toLowerCase(Locale.ROOT) + ", " + run.startedAt();
    }
}
