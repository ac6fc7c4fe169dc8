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
import java.util.regex.Pattern;

/**
 * Times and rates in the JSON format of JMH, which existing viewers read. A metric of an experiment is a class, so that
 * a viewer draws together what has one unit; a series of it is a method, with a list of rounds for each fork. What is
 * neither a time nor a rate, such as a share of lost messages, has no place in that format.
 */
public final class JmhFile {
    /** The version of JMH whose format this is. */
    private static final String JMH = "1.37";

    /** What JMH calls rounds that have a certain amount of work and not a certain time. */
    private static final String FIXED_WORK = "single-shot";

    private static final Pattern TIME = Pattern.compile("(.* )?(ns|µs|ms|s)(/.*)?");
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
                for (CaseResult.Measured measured : result.measured()) {
                    String metric = measured.metric();
                    if (Findings.isOwn(metric) && (isRate(metric) || TIME.matcher(metric).matches())) {
                        benchmarks.add(benchmark(run, experiment.id(), result, measured));
                    }
                }
            }
        }
        return GSON.toJson(benchmarks) + "\n";
    }

    private static boolean isRate(String metric) {
        return metric.endsWith("/s");
    }

    private static Map<String, Object> benchmark(
            RunResult run, String id, CaseResult result, CaseResult.Measured measured) {
        Map<String, Object> benchmark = new LinkedHashMap<>();
        benchmark.put("jmhVersion", JMH);
        benchmark.put(
                "benchmark",
                "io.slipstream.lab." + id + "_" + word(measured.metric()) + "." + word(result.series()));
        benchmark.put("mode", isRate(measured.metric()) ? "thrpt" : "avgt");
        benchmark.put("threads", 1);
        benchmark.put("forks", run.form().forks());
        benchmark.put("jvm", result.jvm());
        benchmark.put("jvmArgs", result.flags());
        benchmark.put("jdkVersion", result.jvm());
        benchmark.put("warmupIterations", run.form().warmUpRounds());
        benchmark.put("warmupTime", roundTime(result));
        benchmark.put("warmupBatchSize", 1);
        benchmark.put("measurementIterations", run.form().rounds());
        benchmark.put("measurementTime", roundTime(result));
        benchmark.put("measurementBatchSize", 1);
        Map<String, String> parameters = new LinkedHashMap<>();
        if (!measured.x().isEmpty()) {
            parameters.put("x", measured.x());
        }
        if (run.machine().jvms().size() > 1) {
            parameters.put("jvm", result.jvm());
        }
        benchmark.put("params", parameters);
        benchmark.put("primaryMetric", scores(run, measured.metric(), new Sample(measured.values())));
        Map<String, Object> beside = new LinkedHashMap<>();
        for (CaseResult.Measured other : result.measured()) {
            if (!Findings.isOwn(other.metric())) {
                beside.put(other.metric(), scores(run, other.metric(), new Sample(other.values())));
            }
        }
        benchmark.put("secondaryMetrics", beside);
        return benchmark;
    }

    private static String roundTime(CaseResult result) {
        return result.roundMillis() == 0 ? FIXED_WORK : result.roundMillis() + " ms";
    }

    /** As a part of a name in Java. */
    private static String word(String text) {
        return text.replace("C++", "Cpp").replaceAll("[^\\p{L}\\p{N}]+", "_").replaceFirst("_$", "");
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
        scores.put("scoreUnit", metric);
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
