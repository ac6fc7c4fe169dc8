package io.slipstream.lab.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
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
 * The timed figures in the JSON format of JMH, which existing viewers read. Each metric of each case is a benchmark;
 * forks and rounds are told as JMH does, the rounds of all forks in one list.
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
                result.samples()
                        .forEach((metric, values) ->
                                benchmarks.add(benchmark(run, experiment, result, metric, new Sample(values))));
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
        double error = NORMAL_999 * sample.standardDeviation() / Math.sqrt(sample.size());
        Map<String, Object> primary = new LinkedHashMap<>();
        primary.put("score", sample.mean());
        primary.put("scoreError", error);
        primary.put("scoreConfidence", List.of(sample.mean() - error, sample.mean() + error));
        Map<String, Double> percentiles = new LinkedHashMap<>();
        for (double q : new double[] {0, 50, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999, 100}) {
            percentiles.put(String.valueOf(q), sample.quantile(q / 100));
        }
        primary.put("scorePercentiles", percentiles);
        primary.put("scoreUnit", metric.replaceFirst(" @ .*", ""));
        primary.put("rawData", List.of(sample.values()));
        benchmark.put("primaryMetric", primary);
        benchmark.put("secondaryMetrics", Map.of());
        return benchmark;
    }
}
