package io.slipstream.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.slipstream.lab.MadeUp;
import io.slipstream.lab.Sample;
import io.slipstream.lab.run.CaseResult;
import io.slipstream.lab.run.ExperimentResult;
import io.slipstream.lab.run.RunResult;
import io.slipstream.lab.run.quiet.Calm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Reads the file in JMH's format field by field as JMH Visualizer does (jzillmann/jmh-visualizer, parse.js and
 * BarDataSet.js): the class is the name up to the last dot; a method and its parameters are joined with spaces and
 * equals signs and taken apart again; all methods of a class must have the same parameters.
 */
class JmhViewerTest {

    /** A bar: what a viewer shows of a benchmark. */
    private record Bar(String method, List<String> parameters, String mode, double score, double error, String unit) {}

    @Test
    void everyBenchmarkIsOneBarOfItsClass() {
        Map<String, List<Bar>> classes = view(MadeUp.run());
        assertThat(classes.get("io.slipstream.lab.B2_ns_op"))
                .extracting(Bar::method, Bar::parameters)
                .doesNotHaveDuplicates()
                .hasSize(4);
        assertThat(classes.get("io.slipstream.lab.B3_ns_op"))
                .extracting(Bar::method)
                .containsExactly("Java", "Cpp");
        assertThat(classes.values()).allSatisfy(bars -> {
            assertThat(bars.stream().map(bar -> bar.parameters().size()).distinct())
                    .hasSize(1);
            assertThat(bars).extracting(Bar::method, Bar::parameters).doesNotHaveDuplicates();
            assertThat(bars.stream().map(Bar::unit).distinct()).hasSize(1);
            assertThat(bars.stream().map(Bar::mode).distinct()).hasSize(1);
        });
    }

    @Test
    void valuesWithSpacesAndCasesWithoutAnXAreTakenApartInTheSameWay() {
        ExperimentResult io = new ExperimentResult(
                "B8",
                "JDK 25",
                1,
                List.of(
                        MadeUp.result("FileChannel", "", "write MB/s", 1_300, 1_310, 1_320),
                        MadeUp.result("FileChannel", "8 GB", "write MB/s", 900, 910, 920),
                        MadeUp.result("FileChannel!", "8 GB", "write MB/s", 1, 2, 3)));
        assertThat(view(MadeUp.run(MadeUp.machine(), io)).get("io.slipstream.lab.B8_write_MB_s"))
                .extracting(Bar::method, Bar::parameters)
                .containsExactly(
                        tuple("FileChannel", List.of("x", "-")),
                        tuple("FileChannel", List.of("x", "8_GB")),
                        tuple("FileChannel_2", List.of("x", "8_GB")));
    }

    @Test
    void ratesAreThroughputAndTimesAreAverages() {
        ExperimentResult rate =
                new ExperimentResult("B5", "JDK 25", 1, List.of(MadeUp.result("Java", "2", "increments/s", 1, 2, 3)));
        assertThat(view(MadeUp.run(MadeUp.machine(), rate)).values().iterator().next())
                .extracting(Bar::mode)
                .containsExactly("thrpt");
        assertThat(view(MadeUp.run()).get("io.slipstream.lab.B3_ns_op"))
                .extracting(Bar::mode)
                .containsOnly("avgt");
    }

    @Test
    void theErrorIsThatOfStudentsDistribution() {
        // Six rounds: 6.869 standard errors are 99.9 %; so says any table for five degrees of freedom.
        Sample six = Sample.of(10, 11, 12, 13, 14, 15);
        ExperimentResult result = new ExperimentResult(
                "B3", "JDK 25", 1, List.of(MadeUp.result("Java", "", "ns/op", 10, 11, 12, 13, 14, 15)));
        Bar bar = view(MadeUp.run(MadeUp.machine(), result))
                .values()
                .iterator()
                .next()
                .get(0);
        assertThat(bar.score()).isEqualTo(12.5);
        assertThat(bar.error()).isCloseTo(6.869 * six.standardDeviation() / Math.sqrt(6), within(0.01));
    }

    @Test
    void ofTwoRoundsTheErrorIsUnknownAsInJmh() {
        ExperimentResult result =
                new ExperimentResult("B3", "JDK 25", 1, List.of(MadeUp.result("Java", "", "ns/op", 10, 11)));
        Bar bar = view(MadeUp.run(MadeUp.machine(), result))
                .values()
                .iterator()
                .next()
                .get(0);
        assertThat(bar.error()).isNaN();
        assertThat(bar.score()).isEqualTo(10.5);
    }

    @Test
    void threadsAreThoseThatRan() {
        CaseResult ran = new CaseResult(
                "Java", "", "JDK 25", List.of(), Map.of("ns/op", List.of(1.0)), Calm.UNKNOWN, 0, 8, 0, null, null);
        String json =
                JmhFile.toJson(MadeUp.run(MadeUp.machine(), new ExperimentResult("B3", "JDK 25", 1, List.of(ran))));
        assertThat(JsonParser.parseString(json)
                        .getAsJsonArray()
                        .get(0)
                        .getAsJsonObject()
                        .get("threads")
                        .getAsInt())
                .isEqualTo(8);
    }

    private static Map<String, List<Bar>> view(RunResult run) {
        Map<String, List<Bar>> classes = new LinkedHashMap<>();
        for (JsonElement element : JsonParser.parseString(JmhFile.toJson(run)).getAsJsonArray()) {
            JsonObject benchmark = element.getAsJsonObject();
            String name = benchmark.get("benchmark").getAsString();
            StringBuilder joined = new StringBuilder(name.substring(name.lastIndexOf('.') + 1));
            if (benchmark.has("params")) {
                benchmark
                        .getAsJsonObject("params")
                        .entrySet()
                        .forEach(p -> joined.append(' ')
                                .append(p.getKey())
                                .append('=')
                                .append(p.getValue().getAsString()));
            }
            List<String> parts = List.of(joined.toString().split(" ", -1));
            List<String> parameters = parts.subList(1, parts.size()).stream()
                    .flatMap(p -> List.of(p.split("=", -1)).stream())
                    .toList();
            JsonObject metric = benchmark.getAsJsonObject("primaryMetric");
            double score = metric.get("score").getAsDouble();
            double error = metric.get("scoreError").getAsDouble();
            JsonArray confidence = metric.getAsJsonArray("scoreConfidence");
            assertThat(List.of(
                            confidence.get(0).getAsDouble(), confidence.get(1).getAsDouble()))
                    .containsExactly(score - error, score + error);
            List<Double> raw = new ArrayList<>();
            metric.getAsJsonArray("rawData")
                    .forEach(fork -> fork.getAsJsonArray().forEach(round -> raw.add(round.getAsDouble())));
            assertThat(raw.stream().collect(Collectors.averagingDouble(v -> v))).isCloseTo(score, within(1e-9 * score));
            assertThat(metric.getAsJsonObject("scorePercentiles").get("50.0").getAsDouble())
                    .isPositive();
            assertThat(benchmark.getAsJsonObject("secondaryMetrics")).isNotNull();
            assertThat(benchmark.get("vmName").getAsString()).isNotBlank();
            classes.computeIfAbsent(name.substring(0, name.lastIndexOf('.')), c -> new ArrayList<>())
                    .add(new Bar(
                            parts.get(0),
                            parameters,
                            benchmark.get("mode").getAsString(),
                            score,
                            error,
                            metric.get("scoreUnit").getAsString()));
        }
        return classes;
    }
}
