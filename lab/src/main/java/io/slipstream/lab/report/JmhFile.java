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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The timed figures in the JSON format of JMH, which existing viewers read. Each metric of each case is a benchmark,
 * with a list of rounds for each fork.
 */
public final class JmhFile {
    private static final Gson GSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
    private static final double NORMAL_999 = 3.29;

    private JmhFile() {}

    public static void write(RunResult run, Path file) throws IOException {
        Files.writeString(file, toJson(run));
    }

    static String toJson(RunResult run) {
        List<Map<String, Object>> benchmarks = new ArrayList<>();
        for (ExperimentResult experiment : run.experiments()) {
            for (CaseResult result : experiment.cases()) {
                result.samples().forEach((metric, values) -> {
                    if (Findings.isOwn(metric)) {
                        benchmarks.add(benchmark(run, experiment, result, metric, new Sample(values)));
                    }
                });
            }
        }
        return GSON.toJson(benchmarks) + "\n";
    }

    private static Map<String, Object> benchmark(
            RunResult run, ExperimentResult experiment, CaseResult result, String metric, Sample sample) {
        Map<String, Object> benchmark = new LinkedHashMap<>();
        benchmark.put(
                "benchmark",
                "io.slipstream.lab." + experiment.id() + "." + result.series().replaceAll("[^A-Za-z0-9]+", "_"));
        benchmark.put("mode", metric.contains("/s") ? "thrpt" : "avgt");
        benchmark.put("threads", 1);
        benchmark.put("forks", run.form().forks());
        benchmark.put("jdkVersion", result.jvm());
        benchmark.put("warmupIterations", run.form().warmUpRounds());
        benchmark.put("measurementIterations", run.form().rounds());
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("x", result.x());
        parameters.put("metric", metric);
        benchmark.put("params", parameters);
        benchmark.put("primaryMetric", scores(run, metric, sample));
        Map<String, Object> beside = new LinkedHashMap<>();
        result.samples().forEach((name, values) -> {
            if (!Findings.isOwn(name)) {
                beside.put(name, scores(run, name, new Sample(values)));
            }
        });
        benchmark.put("secondaryMetrics", beside);
        return benchmark;
    }

    private static Map<String, Object> scores(RunResult run, String metric, Sample sample) {
        double error = NORMAL_999 * sample.standardDeviation() / Math.sqrt(sample.size());
        Map<String, Object> scores = new LinkedHashMap<>();
        scores.put("score", sample.mean());
        scores.put("scoreError", error);
        scores.put("scoreConfidence", List.of(sample.mean() - error, sample.mean() + error));
        Map<String, Double> percentiles = new LinkedHashMap<>();
        for (double q : new double[] {0, 50, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999, 100}) {
            percentiles.put(String.valueOf(q), sample.quantile(q / 100));
        }
        scores.put("scorePercentiles", percentiles);
        scores.put("scoreUnit", metric.replaceFirst(" @ .*", ""));
        scores.put("rawData", byFork(sample.values(), run.form().rounds()));
        return scores;
    }

    private static List<List<Double>> byFork(List<Double> values, int rounds) {
        List<List<Double>> forks = new ArrayList<>();
        for (int from = 0; from < values.size(); from += rounds) {
            forks.add(values.subList(from, Math.min(values.size(), from + rounds)));
        }
        return forks;
    }
}
