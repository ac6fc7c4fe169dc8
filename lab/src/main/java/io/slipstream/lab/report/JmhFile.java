package io.slipstream.lab.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Sample;
import io.slipstream.lab.run.CaseResult;
import io.slipstream.lab.run.ExperimentResult;
import io.slipstream.lab.run.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.openjdk.jmh.util.ListStatistics;

/**
 * Times and rates in the JSON format of JMH, which existing viewers read. A metric of an experiment is a class, so that
 * a viewer draws together what has one unit; a series of it is a method, with a list of rounds for each fork. What is
 * neither a time nor a rate, such as a share of lost messages, has no place in that format.
 *
 * <p>Viewers take names apart at dots, and parameters at spaces and equals signs, and expect the same parameters of all
 * methods of a class; so it is here.
 */
public final class JmhFile {
    /** The version of JMH whose format this is. */
    private static final String JMH = "1.37";

    /** In place of a time: rounds of most cases have a certain amount of work. */
    private static final String FIXED_WORK = "a fixed amount of work";

    private static final double CONFIDENCE = 0.999;
    private static final Gson GSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    private final RunResult run;
    private final List<Map<String, Object>> benchmarks = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    private JmhFile(RunResult run) {
        this.run = run;
    }

    public static void write(RunResult run, Path file) throws IOException {
        Files.writeString(file, toJson(run));
    }

    static String toJson(RunResult run) {
        JmhFile file = new JmhFile(run);
        run.experiments().forEach(file::add);
        return GSON.toJson(file.benchmarks) + "\n";
    }

    private void add(ExperimentResult experiment) {
        Set<String> withX = new HashSet<>();
        experiment.cases().stream()
                .flatMap(JmhFile::shown)
                .filter(measured -> !measured.x().isEmpty())
                .forEach(measured -> withX.add(measured.metric()));
        for (CaseResult result : experiment.cases()) {
            shown(result).forEach(measured -> {
                Map<String, String> parameters = new LinkedHashMap<>();
                if (withX.contains(measured.metric())) {
                    parameters.put("x", measured.x().isEmpty() ? "-" : value(measured.x()));
                }
                if (run.machine().jvms().size() > 1) {
                    // As asked for: a twin, or a case that wants a certain JVM, is run beside each of them.
                    parameters.put("jvm", value(experiment.jvm()));
                }
                benchmarks.add(benchmark(experiment.id(), result, measured, parameters));
            });
        }
    }

    private static Stream<CaseResult.Measured> shown(CaseResult result) {
        return result.measured().stream()
                .filter(measured -> Findings.isOwn(measured.metric())
                        && (Findings.isRate(measured.metric()) || Findings.isTime(measured.metric())));
    }

    private Map<String, Object> benchmark(
            String id, CaseResult result, CaseResult.Measured measured, Map<String, String> parameters) {
        Map<String, Object> benchmark = new LinkedHashMap<>();
        benchmark.put("jmhVersion", JMH);
        benchmark.put("benchmark", unique(id, result, measured, parameters));
        benchmark.put("mode", Findings.isRate(measured.metric()) ? "thrpt" : "avgt");
        benchmark.put("threads", result.threads());
        benchmark.put("forks", byFork(measured.values(), run.form().rounds()).size());
        benchmark.put("jvm", result.jvm());
        benchmark.put("jvmArgs", result.flags());
        benchmark.put("jdkVersion", result.jvm().replaceFirst("^JDK ", "").replaceFirst(" .*", ""));
        benchmark.put("vmName", result.jvm());
        benchmark.put("vmVersion", result.jvm());
        benchmark.put("warmupIterations", run.form().warmUpRounds());
        benchmark.put("warmupTime", roundTime(result));
        benchmark.put("warmupBatchSize", 1);
        benchmark.put("measurementIterations", run.form().rounds());
        benchmark.put("measurementTime", roundTime(result));
        benchmark.put("measurementBatchSize", 1);
        if (!parameters.isEmpty()) {
            benchmark.put("params", parameters);
        }
        benchmark.put("primaryMetric", scores(measured.metric(), measured.values()));
        Map<String, Object> beside = new LinkedHashMap<>();
        for (CaseResult.Measured other : result.measured()) {
            if (!Findings.isOwn(other.metric())) {
                beside.put(other.metric(), scores(other.metric(), other.values()));
            }
        }
        benchmark.put("secondaryMetrics", beside);
        return benchmark;
    }

    private static String roundTime(CaseResult result) {
        return result.roundMillis() == 0 ? FIXED_WORK : result.roundMillis() + " ms";
    }

    /** Class and method; a viewer would take two of one name and the same parameters for one. */
    private String unique(String id, CaseResult result, CaseResult.Measured measured, Map<String, String> parameters) {
        String name = "io.slipstream.lab." + id + "_" + word(measured.metric()) + "." + word(result.series());
        String unique = name;
        for (int i = 2; !names.add(unique + parameters); i++) {
            unique = name + "_" + i;
        }
        return unique;
    }

    /** As a part of a name in Java. */
    private static String word(String text) {
        return text.replace("C++", "Cpp").replaceAll("[^\\p{L}\\p{N}]+", "_").replaceFirst("_$", "");
    }

    /** As the value of a parameter. */
    private static String value(String text) {
        return text.replaceAll("[\\s=]+", "_");
    }

    private Map<String, Object> scores(String metric, List<Double> values) {
        Sample sample = new Sample(values);
        double error = new ListStatistics(values.stream().mapToDouble(v -> v).toArray()).getMeanErrorAt(CONFIDENCE);
        Map<String, Object> scores = new LinkedHashMap<>();
        scores.put("score", number(sample.mean()));
        scores.put("scoreError", number(error));
        scores.put("scoreConfidence", List.of(number(sample.mean() - error), number(sample.mean() + error)));
        Map<String, Object> percentiles = new LinkedHashMap<>();
        for (double q : new double[] {0, 50, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999, 100}) {
            percentiles.put(String.valueOf(q), number(sample.quantile(q / 100)));
        }
        scores.put("scorePercentiles", percentiles);
        scores.put("scoreUnit", metric);
        scores.put("rawData", byFork(values, run.form().rounds()));
        return scores;
    }

    /** As JMH writes what is no number: of fewer than three rounds nothing is known about the error. */
    private static Object number(double value) {
        return Double.isFinite(value) ? (Object) value : "NaN";
    }

    private static List<List<Object>> byFork(List<Double> values, int rounds) {
        List<List<Object>> forks = new ArrayList<>();
        for (int from = 0; from < values.size(); from += rounds) {
            forks.add(values.subList(from, Math.min(values.size(), from + rounds)).stream()
                    .map(JmhFile::number)
                    .toList());
        }
        return forks;
    }
}
