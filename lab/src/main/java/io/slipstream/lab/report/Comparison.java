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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Two runs side by side: of two machines, JVMs or dates. */
public final class Comparison {

    /**
     * A figure that both runs have.
     *
     * @param ratio how many times A is B, with its range
     * @param disturbed in which of the runs the machine was disturbed meanwhile: {@code "A"}, {@code "B"}, {@code "A and
     *     B"}, or empty
     */
    public record Line(
            String experiment, String name, String metric, Sample a, Sample b, Ratio ratio, String disturbed) {

        /** Whether the middle halves lie apart, so that the difference is more than noise. */
        public boolean differs() {
            return ratio.high() < 1 || ratio.low() > 1;
        }

        private String remark() {
            return Stream.of(
                            differs() ? "" : "within the spread",
                            disturbed.isEmpty() ? "" : "disturbed in " + disturbed)
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining(", "));
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
                add(lines, jvm, mine, theirs);
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

    private static void add(List<Line> lines, String jvm, ExperimentResult mine, ExperimentResult theirs) {
        Findings a = mine.findings();
        Findings b = theirs.findings();
        for (String metric : a.metrics().stream().filter(Findings::isOwn).toList()) {
            for (String series : a.series(metric)) {
                for (String x : a.xs(metric)) {
                    Sample one = a.find(series, x, metric);
                    Sample other = b.find(series, x, metric);
                    if (one != null && other != null) {
                        String disturbed = Stream.of(
                                        isDisturbed(mine, series, x) ? "A" : "", isDisturbed(theirs, series, x) ? "B" : "")
                                .filter(run -> !run.isEmpty())
                                .collect(Collectors.joining(" and "));
                        lines.add(new Line(
                                mine.id(), name(series, x) + jvm, metric, one, other, Ratio.of(one, other), disturbed));
                    }
                }
            }
        }
    }

    /** The case of a figure has its x, or none where the rounds gave their metrics one. */
    private static boolean isDisturbed(ExperimentResult result, String series, String x) {
        return result.cases().stream()
                .anyMatch(c -> c.series().equals(series)
                        && (c.x().equals(x) || c.x().isEmpty())
                        && c.calm().isDisturbed());
    }

    private static String name(String series, String x) {
        return x.isEmpty() ? series : series + ", " + x;
    }

    /** What has figures in one run alone: whole experiments, as {@code "B3"}, and cases of others, as {@code "B3 C++"}. */
    private static List<String> onlyIn(RunResult a, RunResult b) {
        Set<String> others = cases(b);
        Set<String> experiments = b.experiments().stream().map(ExperimentResult::id).collect(Collectors.toSet());
        return a.experiments().stream()
                .flatMap(e -> experiments.contains(e.id()) ? cases(e) : Stream.of(e.id()))
                .distinct()
                .filter(name -> !others.contains(name))
                .toList();
    }

    private static Set<String> cases(RunResult run) {
        return run.experiments().stream().flatMap(Comparison::cases).collect(Collectors.toSet());
    }

    private static Stream<String> cases(ExperimentResult result) {
        return result.cases().stream()
                .filter(c -> c.missing() == null)
                .map(c -> result.id() + " " + name(c.series(), c.x()));
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
                    line.remark()));
        }
        only(out, "A", onlyIn(a, b));
        only(out, "B", onlyIn(b, a));
        if (lines.stream().anyMatch(line -> !line.disturbed().isEmpty())) {
            out.append("\nWhere the machine was disturbed, a difference says nothing of what is compared.\n");
        }
        return out.toString();
    }

    private static void only(StringBuilder out, String run, List<String> names) {
        if (!names.isEmpty()) {
            out.append("\nOnly in ").append(run).append(": ").append(String.join("; ", names)).append('\n');
        }
    }

    private static String title(RunResult run) {
        return run.machine().cpu() + ", " + run.machine().cpus() + " processors, "
                + String.join(", ", run.machine().jvms()) + ", "
                + run.form().name().toLowerCase(Locale.ROOT) + ", " + run.startedAt();
    }
}
