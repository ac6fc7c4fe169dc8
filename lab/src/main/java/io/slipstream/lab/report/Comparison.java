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
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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

    /**
     * The figures that both runs have. An experiment is compared with the same on the same JVM; where the other run has
     * none of that JVM, and each has one alone, JVM with JVM.
     */
    public static List<Line> of(RunResult a, RunResult b) {
        List<Line> lines = new ArrayList<>();
        for (ExperimentResult mine : a.experiments()) {
            ExperimentResult theirs = counterpart(mine, a, b);
            if (theirs != null) {
                String jvm = jvms(a, mine.id()).size() > 1 ? ", " + mine.jvm() : "";
                add(lines, mine.id(), jvm, mine.findings(), theirs.findings());
            }
        }
        return lines;
    }

    private static @Nullable ExperimentResult counterpart(ExperimentResult mine, RunResult a, RunResult b) {
        boolean alone = jvms(a, mine.id()).size() == 1 && jvms(b, mine.id()).size() == 1;
        return b.experiments().stream()
                .filter(e -> e.id().equals(mine.id()) && (alone || e.jvm().equals(mine.jvm())))
                .findFirst()
                .orElse(null);
    }

    private static Set<String> jvms(RunResult run, String id) {
        return run.experiments().stream()
                .filter(e -> e.id().equals(id))
                .map(ExperimentResult::jvm)
                .collect(Collectors.toSet());
    }

    private static void add(List<Line> lines, String id, String jvm, Findings a, Findings b) {
        for (String metric : a.metrics().stream().filter(Findings::isOwn).toList()) {
            for (String series : a.series(metric)) {
                for (String x : a.xs(metric)) {
                    Sample one = a.find(series, x, metric);
                    Sample other = b.find(series, x, metric);
                    if (one != null && other != null) {
                        String name = (x.isEmpty() ? series : series + ", " + x) + jvm;
                        lines.add(new Line(id, name, metric, one, other, Ratio.of(one, other)));
                    }
                }
            }
        }
    }

    /**
     * The first JVM of a run beside each of the others, as tables for a terminal.
     *
     * @throws IllegalArgumentException when it was of one JVM
     */
    public static String ofJvms(RunResult run) {
        List<String> jvms = run.machine().jvms();
        if (jvms.size() < 2) {
            throw new IllegalArgumentException("this result is of one JVM (" + String.join("", jvms)
                    + "): name a second result, or run with --jdk and several");
        }
        StringBuilder out = new StringBuilder();
        for (String other : jvms.subList(1, jvms.size())) {
            out.append(out.isEmpty() ? "" : "\n").append(table(run.on(jvms.get(0)), run.on(other)));
        }
        return out.toString();
    }

    /** The comparison as a table for a terminal. */
    public static String table(RunResult a, RunResult b) {
        List<Line> lines = of(a, b);
        StringBuilder out = new StringBuilder();
        out.append("A: ").append(title(a)).append("\nB: ").append(title(b)).append("\n\n");
        if (a.form() != b.form()) {
            out.append("Mind that they are of different forms, with different amounts of work.\n\n");
        }
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
