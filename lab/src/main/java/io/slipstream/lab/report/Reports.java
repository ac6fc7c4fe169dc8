package io.slipstream.lab.report;

import io.slipstream.lab.Verdict;
import io.slipstream.lab.run.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes all forms of a result into one directory. */
public final class Reports {
    private static final String PAGE = "report.html";
    private static final String RESULTS = "results.json";
    private static final String TABLE = "results.csv";
    private static final String JMH = "jmh.json";

    private Reports() {}

    /** Whether a file that {@link #write} writes is in the directory already. */
    public static boolean isIn(Path directory) {
        return Stream.of(PAGE, RESULTS, TABLE, JMH).anyMatch(file -> Files.exists(directory.resolve(file)));
    }

    /** Writes {@code report.html}, {@code results.json}, {@code results.csv} and {@code jmh.json}; returns the page. */
    public static Path write(RunResult run, Path directory) throws IOException {
        Files.createDirectories(directory);
        ResultFile.write(run, directory.resolve(RESULTS));
        CsvFile.write(run, directory.resolve(TABLE));
        JmhFile.write(run, directory.resolve(JMH));
        Path page = directory.resolve(PAGE);
        HtmlReport.write(run, page);
        return page;
    }

    /** A line for each kind of verdict, with the experiments that got it. */
    public static String verdicts(RunResult run) {
        List<Judged> judged = Judged.all(run);
        StringBuilder lines = new StringBuilder();
        for (Verdict.Kind kind : Verdict.Kind.values()) {
            String ids = judged.stream()
                    .filter(one -> one.verdict().kind() == kind)
                    .map(one -> one.result().id())
                    .distinct()
                    .collect(Collectors.joining(" "));
            if (!ids.isEmpty()) {
                lines.append(String.format(Locale.ROOT, "%-20s %s%n", kind.words(), ids));
            }
        }
        return lines.toString();
    }

    /**
     * The experiments that have no figure at all: those among the names of what was asked for, and all where there is
     * not one figure in the whole run.
     *
     * @param names ids, groups or {@code all}; one that is asked for by a group may be impossible on a machine
     */
    public static List<String> withoutFigures(RunResult run, List<String> names) {
        Map<String, Boolean> measured = new LinkedHashMap<>();
        run.experiments()
                .forEach(e -> measured.merge(
                        e.id(), e.cases().stream().anyMatch(c -> c.missing() == null), Boolean::logicalOr));
        return measured.keySet().stream()
                .filter(id -> !measured.containsValue(true)
                        || Boolean.FALSE.equals(measured.get(id))
                                && names.stream().anyMatch(id::equalsIgnoreCase))
                .toList();
    }

    /** A line for each reason for which something was not measured, with what it kept from being measured. */
    public static String notMeasured(RunResult run) {
        Map<String, Set<String>> byReason = new LinkedHashMap<>();
        for (Judged one : Judged.all(run)) {
            one.findings()
                    .missing()
                    .forEach((name, reason) -> byReason.computeIfAbsent(reason, r -> new LinkedHashSet<>())
                            .add(one.result().id() + " " + name.replaceFirst(" / .*", "")));
        }
        StringBuilder lines = new StringBuilder();
        byReason.forEach((reason, names) -> lines.append("not measured: ")
                .append(String.join("; ", names))
                .append(" (")
                .append(reason)
                .append(")\n"));
        return lines.toString();
    }
}
