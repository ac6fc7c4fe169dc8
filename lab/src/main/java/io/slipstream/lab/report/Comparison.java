package io.slipstream.lab.report;

import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
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

    /** Where one of the two has fewer, nobody knows how far its forks lie apart. */
    private static final int FEWEST_FORKS = 2;

    /** The ranges of the forks must be so many times apart. */
    private static final double MARGIN = 1.2;

    /**
     * A figure that both runs have.
     *
     * @param a the medians of A's forks; rounds of one fork share a JVM and what its compiler made, so the fork is the
     * unit
     * @param b the medians of B's forks
     * @param disturbed in which of the runs the machine was disturbed meanwhile: {@code "A"}, {@code "B"},
     * {@code "A and
     *     B"}, or empty
     */
    public record Line(String experiment, String name, String metric, Sample a, Sample b, String disturbed) {

        /**
         * Whether the ranges of the forks lie apart, by more than a fifth and by more than either is wide. Two forks of
         * the same are on one side of two others in one of three cases by chance alone, so that apart is not enough.
         */
        public boolean differs() {
            Sample less = a.median() <= b.median() ? a : b;
            Sample more = less == a ? b : a;
            double gap = more.min() - less.max();
            return !hasFewForks()
                    && more.min() > MARGIN * less.max()
                    && gap > Math.max(a.max() - a.min(), b.max() - b.min());
        }

        private boolean hasFewForks() {
            return Math.min(a.size(), b.size()) < FEWEST_FORKS;
        }

        /** Whether they differ, or why nobody can tell; and which was disturbed. */
        String remark() {
            return Stream.of(
                            differs() ? "differs" : hasFewForks() ? "of one fork alone" : "within the spread",
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
                add(lines, jvm, mine, a.form().rounds(), theirs, b.form().rounds());
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

    private static void add(
            List<Line> lines,
            String jvm,
            ExperimentResult mine,
            int roundsOfMine,
            ExperimentResult theirs,
            int roundsOfTheirs) {
        Findings a = mine.findings();
        Findings b = theirs.findings();
        for (String metric : a.metrics().stream().filter(Findings::isOwn).toList()) {
            for (String series : a.series(metric)) {
                for (String x : a.xs(metric)) {
                    Sample one = a.find(series, x, metric);
                    Sample other = b.find(series, x, metric);
                    if (one != null && other != null) {
                        String disturbed = Stream.of(
                                        isDisturbed(mine, series, x) ? "A" : "",
                                        isDisturbed(theirs, series, x) ? "B" : "")
                                .filter(run -> !run.isEmpty())
                                .collect(Collectors.joining(" and "));
                        lines.add(new Line(
                                mine.id(),
                                name(series, x) + jvm,
                                metric,
                                forks(one, roundsOfMine),
                                forks(other, roundsOfTheirs),
                                disturbed));
                    }
                }
            }
        }
    }

    /** The median of each fork. */
    private static Sample forks(Sample sample, int rounds) {
        List<Double> values = sample.values();
        List<Double> medians = new ArrayList<>();
        for (int from = 0; from < values.size(); from += rounds) {
            medians.add(new Sample(values.subList(from, Math.min(from + rounds, values.size()))).median());
        }
        return new Sample(medians);
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

    /**
     * What has figures in one run alone: whole experiments, as {@code "B3"}, and cases of others, as {@code "B3 C++"}.
     */
    private static List<String> onlyIn(RunResult a, RunResult b) {
        Set<String> others = cases(b);
        Set<String> experiments =
                b.experiments().stream().map(ExperimentResult::id).collect(Collectors.toSet());
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
                    Figure.show(line.a().median() / line.b().median()),
                    line.remark()));
        }
        out.append("\nA figure differs where the medians of A's forks and those of B's lie apart by more than a"
                + " fifth, and by more"
                + " than those of A or of B among themselves.\n");
        only(out, "A", onlyIn(a, b));
        only(out, "B", onlyIn(b, a));
        if (lines.stream().anyMatch(line -> !line.disturbed().isEmpty())) {
            out.append("\nWhere the machine was disturbed, a difference says nothing of what is compared.\n");
        }
        return out.toString();
    }

    private static void only(StringBuilder out, String run, List<String> names) {
        if (!names.isEmpty()) {
            out.append("\nOnly in ")
                    .append(run)
                    .append(": ")
                    .append(String.join("; ", names))
                    .append('\n');
        }
    }

    private static String title(RunResult run) {
        return run.machine().cpu() + ", " + run.machine().cpus() + " processors, "
                + String.join(", ", run.machine().jvms()) + ", "
                + run.form().name().toLowerCase(Locale.ROOT) + ", " + run.startedAt();
    }
}
