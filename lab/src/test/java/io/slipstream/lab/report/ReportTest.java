package io.slipstream.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Form;
import io.slipstream.lab.MadeUp;
import io.slipstream.lab.Size;
import io.slipstream.lab.run.CaseResult;
import io.slipstream.lab.run.ExperimentResult;
import io.slipstream.lab.run.RunResult;
import io.slipstream.lab.run.quiet.Calm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    @Test
    void thePageNeedsNothingFromOutside() {
        String page = HtmlReport.page(MadeUp.run());
        assertThat(page)
                .doesNotContainPattern("(src|href)=\"(?!#)")
                .doesNotContain("<script")
                .doesNotContain("url(")
                .doesNotContain("@import");
        assertThat(page).contains("Made-up &lt;9000&gt;").doesNotContain("Made-up <9000>");
    }

    @Test
    void everyExperimentHasItsVerdictPlotFiguresAndCommand() {
        String page = HtmlReport.page(MadeUp.run());
        assertThat(page)
                .contains("± is half the width of their middle half")
                .contains("False sharing")
                .contains("holds")
                .contains("<svg")
                .contains("Reported then")
                .contains("./slipstream lab run B2 --quick")
                .contains("Rule: Holds when two threads");
    }

    @Test
    void theCommandThatRepeatsItHasTheOptionsThatWereChosen() {
        RunResult run = MadeUp.run().with(List.of("--jdk", "/opt/jdk-17", "--scratch", "/mnt/my disk"));
        assertThat(HtmlReport.page(run))
                .contains("./slipstream lab run B2 --quick --jdk /opt/jdk-17 --scratch '/mnt/my disk'</code>");
    }

    @Test
    void aFileFromBeforeOptionsWereKeptIsRead(@TempDir Path directory) throws IOException {
        JsonObject older =
                JsonParser.parseString(ResultFile.toJson(MadeUp.run())).getAsJsonObject();
        older.remove("options");
        Path file = Files.writeString(directory.resolve("older.json"), older.toString());
        assertThat(ResultFile.read(file)).isEqualTo(MadeUp.run());
    }

    @Test
    void sizesThatDifferFromTheArticlesAreToldAndKept(@TempDir Path directory) throws IOException {
        ExperimentResult b8 = new ExperimentResult(
                "B8",
                "JDK 25",
                1,
                List.of(new Size("bytes of a file", 400 << 20, 24 << 20)),
                List.of(MadeUp.result("mapped", "", "write MB/s", 500, 510)));
        RunResult run = MadeUp.run(MadeUp.machine(), b8);
        assertThat(HtmlReport.page(run))
                .contains("Sizes in the article (--full): 400 MB of a file; here: 24 MB of a file.");
        Path file = directory.resolve("run.json");
        ResultFile.write(run, file);
        assertThat(ResultFile.read(file)).isEqualTo(run);
        Files.writeString(file, Files.readString(file).replace("sizes", "older"));
        assertThat(ResultFile.read(file).experiments().get(0).sizes()).isEmpty();
    }

    @Test
    void aPartialReportSaysSo() {
        RunResult run = MadeUp.run();
        RunResult cut = new RunResult(
                run.schema(),
                run.startedAt(),
                run.form(),
                run.machine(),
                run.experiments(),
                run.seconds(),
                "it was interrupted",
                List.of());
        assertThat(HtmlReport.page(cut)).contains("This report is partial: it was interrupted");
    }

    @Test
    void whatIsWrittenIsReadAgain(@TempDir Path directory) throws IOException {
        Reports.write(MadeUp.run(), directory);
        assertThat(ResultFile.read(directory.resolve("results.json"))).isEqualTo(MadeUp.run());
        assertThat(Files.readAllLines(directory.resolve("results.csv")))
                .contains("B2,JDK 25,side by side,2,ns/op,3,70.0,JDK 25");
        assertThat(Files.readString(directory.resolve("jmh.json")))
                .contains("\"primaryMetric\"")
                .contains("io.slipstream.lab.B2_ns_op.side_by_side");
    }

    @Test
    void eachMetricOfAnExperimentIsAClassForViewersOfJmhResults() {
        JsonArray benchmarks =
                JsonParser.parseString(JmhFile.toJson(MadeUp.run())).getAsJsonArray();
        JsonObject chase = StreamSupport.stream(benchmarks.spliterator(), false)
                .map(JsonElement::getAsJsonObject)
                .filter(b -> b.get("benchmark").getAsString().equals("io.slipstream.lab.M2_ns_load.small_pages"))
                .findFirst()
                .orElseThrow();
        assertThat(chase.keySet())
                .containsExactly(
                        "jmhVersion",
                        "benchmark",
                        "mode",
                        "threads",
                        "forks",
                        "jvm",
                        "jvmArgs",
                        "jdkVersion",
                        "vmName",
                        "vmVersion",
                        "warmupIterations",
                        "warmupTime",
                        "warmupBatchSize",
                        "measurementIterations",
                        "measurementTime",
                        "measurementBatchSize",
                        "params",
                        "primaryMetric",
                        "secondaryMetrics");
        assertThat(chase.get("forks").getAsInt())
                .as("as many as there are, which in a partial run is not the number that was planned")
                .isEqualTo(1);
        assertThat(chase.getAsJsonObject("params").get("x").getAsString()).isEqualTo("8192");
        assertThat(chase.getAsJsonObject("primaryMetric").get("score").getAsDouble())
                .isEqualTo((1 + 8192 / 8000.0) / 2);
    }

    @Test
    void whatIsNeitherTimeNorRateIsNotInTheJmhFile() {
        assertThat(JmhFile.toJson(MadeUp.run())).contains("latency µs").doesNotContain("Java / C++");
    }

    @Test
    void theCsvFileHasTheXOfEachFigure() {
        assertThat(CsvFile.toCsv(MadeUp.run())).contains("M2,JDK 25,huge pages,8192,ns/load,1,1.0");
    }

    @Test
    void theLinesOfATwinBesideSeveralJvmsCanBeToldApart() {
        CaseResult twin = new CaseResult(
                "C++", "", "g++", List.of(), Map.of("ns/op", List.of(99.0)), Calm.UNKNOWN, 0, 2, 0, null, null);
        RunResult run = MadeUp.run(
                MadeUp.machine().withJvms(List.of("JDK 25", "JDK 17")),
                new ExperimentResult("B3", "JDK 25", 1, List.of(twin)),
                new ExperimentResult("B3", "JDK 17", 1, List.of(twin)));
        assertThat(CsvFile.toCsv(run).lines())
                .containsExactly(
                        "experiment,jvm,series,x,metric,round,value,chosen jvm",
                        "B3,g++,C++,,ns/op,1,99.0,JDK 25",
                        "B3,g++,C++,,ns/op,1,99.0,JDK 17");
    }

    @Test
    void whatWasNotMeasuredIsSaidOnceForEachReason() {
        CaseResult missing = new CaseResult(
                "pinned", "", "JDK 25", List.of(), Map.of(), Calm.UNKNOWN, 0, 1, 0, null, "no interface can multicast");
        RunResult run = MadeUp.run();
        RunResult without = new RunResult(
                run.schema(),
                run.startedAt(),
                run.form(),
                run.machine(),
                List.of(new ExperimentResult("B12", "JDK 25", 1, List.of(missing))),
                1,
                null,
                List.of());
        assertThat(Reports.notMeasured(without)).isEqualTo("not measured: B12 pinned (no interface can multicast)\n");
    }

    @Test
    void whatWasAskedForAndHasNoFigureIsFound() {
        CaseResult missing = new CaseResult(
                "pinned", "", "JDK 25", List.of(), Map.of(), Calm.UNKNOWN, 0, 1, 0, null, "no interface can multicast");
        ExperimentResult without = new ExperimentResult("B12", "JDK 25", 1, List.of(missing));
        ExperimentResult with =
                new ExperimentResult("B3", "JDK 25", 1, List.of(MadeUp.result("Java", "", "ns/op", 50, 51)));

        RunResult both = MadeUp.run(MadeUp.machine(), without, with);
        assertThat(Reports.withoutFigures(both, List.of("b12", "B3"))).containsExactly("B12");
        assertThat(Reports.withoutFigures(both, List.of("network", "B3"))).isEmpty();
        assertThat(Reports.withoutFigures(MadeUp.run(MadeUp.machine(), without), List.of("network")))
                .containsExactly("B12");
    }

    @Test
    void aFileThatIsNoResultIsRefusedByName(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("x.json"), "{\"schema\": 99}");
        assertThatThrownBy(() -> ResultFile.read(file))
                .hasMessageContaining(file.toString())
                .hasMessageContaining("99");
        Files.writeString(file, "no json");
        assertThatThrownBy(() -> ResultFile.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void aFileWithoutSomeOfItsPartsIsRefusedByName(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("x.json");
        ResultFile.write(MadeUp.run(), file);
        for (String part :
                List.of("cases", "samples", "calm", "startedAt", "jvms", "flags", "experiments", "machine")) {
            Path damaged = directory.resolve("damaged.json");
            Files.writeString(damaged, Files.readString(file).replace('"' + part + '"', "\"gone\""));
            assertThatThrownBy(() -> ResultFile.read(damaged))
                    .as(part)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(damaged + " is not a result of the lab: parts of it are missing");
        }
    }

    @Test
    void theJvmsOfARunAreComparedWithTheFirst() {
        RunResult run = MadeUp.run();
        List<ExperimentResult> both = new ArrayList<>(run.experiments());
        ExperimentResult b2 = both.get(0);
        both.add(new ExperimentResult("B2", "JDK 17", 1, b2.cases()));
        RunResult two = new RunResult(
                run.schema(),
                run.startedAt(),
                run.form(),
                run.machine().withJvms(List.of("JDK 25", "JDK 17")),
                both,
                1,
                null,
                List.of());

        assertThat(Comparison.ofJvms(two)).contains("A: Made-up").contains("JDK 25", "JDK 17", "side by side, 2");
        assertThat(Comparison.of(two, two))
                .extracting(line -> line.experiment() + " " + line.name() + " " + line.metric())
                .contains("B2 padded, 2, JDK 25 ns/op", "B2 padded, 2, JDK 17 ns/op")
                .doesNotHaveDuplicates();
        assertThatThrownBy(() -> Comparison.ofJvms(run)).hasMessageContaining("of one JVM (JDK 25)");
    }

    @Test
    void theDistanceOfTheProcessorsIsNoResultToCompare() {
        RunResult run = MadeUp.withDistances();
        assertThat(run.experiments().get(0).findings().metrics()).contains(Findings.DISTANCE);
        assertThat(Comparison.of(run, run)).extracting(Comparison.Line::metric).containsOnly("ns/op");
    }

    @Test
    void theFirstScreenNamesWhatIsFasterAndSlowerThanReported() {
        RunResult run = MadeUp.run(
                MadeUp.machine(),
                new ExperimentResult("B3", "JDK 25", 1, List.of(MadeUp.result("Java", "", "ns/op", 30, 31))),
                new ExperimentResult(
                        "B8", "JDK 25", 1, List.of(MadeUp.result("FileChannel", "", "write MB/s", 100, 101))));

        assertThat(InShort.sentences(run, List.of(new Advice("Waiting", "Let threads park. Service: x.", ""))))
                .containsExactly(
                        "This machine is good at a round trip between two threads (30.5 ns/op; reported: 102).",
                        "It is bad at writing a file by FileChannel (101 write MB/s; reported: 266).",
                        "For a service: let threads park.");
        assertThat(InShort.sentences(MadeUp.run(MadeUp.machine()), List.of()))
                .hasSize(3)
                .last()
                .isEqualTo("What follows for a service cannot be told from these figures.");
    }

    @Test
    void aComparisonIsAPageWithAColumnForEachRun() {
        String page = ComparisonPage.page(MadeUp.run(), MadeUp.run());
        assertThat(page)
                .contains("<h2>B2 False sharing</h2>", ">A / B</th>", "side by side, 2, ns/op", "of one fork alone")
                .contains("0 of ", "figures differ")
                .doesNotContain("<script", "Made-up <9000>");
    }

    @Test
    void whatIsPublishedNamesNoDirectory(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("page.html");
        HtmlReport.publish(MadeUp.run().with(List.of("--scratch", "/home/me/disk")), file);
        assertThat(Files.readString(file))
                .doesNotContain("/home/me", "/tmp: ext4")
                .contains("ext4");
    }

    @Test
    void runsOfDifferentFormsAreComparedWithAWord() {
        RunResult run = MadeUp.run();
        RunResult full = new RunResult(
                run.schema(),
                run.startedAt(),
                Form.FULL,
                run.machine(),
                run.experiments(),
                run.seconds(),
                null,
                List.of());
        assertThat(Comparison.table(run, full)).contains("Mind that they are of different forms");
        assertThat(Comparison.table(run, run)).doesNotContain("Mind");
    }

    @Test
    void saysWhatWasNotAsItShouldBe() {
        RunResult run = MadeUp.disturbed();
        assertThat(HtmlReport.page(run))
                .contains("an idle thread was kept waiting for a large part of a round")
                .contains("Mind that in stalled not all of its threads were pinned: no permission.")
                .contains("<title>idle thread late, µs, at worst 500,000</title>")
                .contains("Hardware counters: hidden by this (virtual) machine");
    }

    @Test
    void whatWasDisturbedAndNotRepeatedSaysThatTheTimeWasUsedUp() {
        ExperimentResult b3 = MadeUp.disturbed().experiments().get(0);
        assertThat(HtmlReport.page(MadeUp.disturbed()))
                .contains("during stalled, and repeating did not help: ")
                .doesNotContain("the time for repeats");
        CaseResult once = b3.cases().get(0);
        CaseResult never = new CaseResult(
                once.series(), once.x(), once.jvm(), once.flags(), once.samples(), once.calm(), 0, 2, 0, null, null);
        assertThat(HtmlReport.page(
                        MadeUp.run(MadeUp.machine(), new ExperimentResult("B3", "JDK 25", 1, List.of(never)))))
                .contains("during stalled, and the time for repeats was used up: ")
                .doesNotContain("did not help");
    }

    @Test
    void whatNeedsMoreProcessorsSaysSo() {
        ExperimentResult locks =
                new ExperimentResult("B7", "JDK 25", 1, List.of(MadeUp.result("synchronized", "1", "ns/op", 20, 21)));
        assertThat(HtmlReport.page(MadeUp.run(MadeUp.machine("none", 2), locks)))
                .contains("needs 4 processors", "needs 8 processors")
                .doesNotContain("needs 2 processors");
        assertThat(HtmlReport.page(MadeUp.run(MadeUp.machine("none", 8), locks)))
                .doesNotContain("needs 8 processors")
                .contains("not measured in this form");
    }

    @Test
    void whatCannotBeAdvisedIsListedWithTheReason() {
        String page = HtmlReport.page(MadeUp.disturbed());
        assertThat(page)
                .contains("<dt>Wait strategy</dt>", "<dt>Padding</dt>", "<dt>Buffer size</dt>", "<dt>Batch size</dt>")
                .contains("<dt>File IO</dt>", "<dt>Pinning</dt>")
                .contains("Cannot be advised: B3 was disturbed, B4 was not run; ./slipstream lab run B3 B4")
                .contains("Cannot be advised: B2 was not run; ./slipstream lab run B2");
        ExperimentResult b8 = new ExperimentResult(
                "B8", "JDK 25", 1, List.of(MadeUp.result("mapped", "", "page write MB/s", 500, 510)));
        assertThat(HtmlReport.page(MadeUp.run(MadeUp.machine(), b8)))
                .contains("Cannot be advised: some figures of B8 are missing, or their spread reaches across the rule");
        assertThat(HtmlReport.page(MadeUp.run()).split("<dt>Padding</dt>", -1)).hasSize(2);
    }

    @Test
    void aComparisonSaysWhatWasDisturbedAndWhatOnlyOneRunHas() {
        RunResult calm = MadeUp.run(
                MadeUp.machine(),
                new ExperimentResult(
                        "B3",
                        "JDK 25",
                        1,
                        List.of(
                                MadeUp.result("stalled", "", "ns/op", 50, 51),
                                MadeUp.result("C++", "", "ns/op", 50, 51))));
        assertThat(Comparison.table(MadeUp.disturbed(), calm))
                .contains("of one fork alone, disturbed in A\n")
                .contains("a difference says nothing")
                .contains("\nOnly in B: B3 C++\n")
                .doesNotContain("Only in A");
        assertThat(Comparison.table(calm, calm)).doesNotContain("disturbed").doesNotContain("Only in");
    }

    @Test
    void comparingARunWithItselfFindsNoDifference() {
        assertThat(Comparison.of(MadeUp.run(), MadeUp.run())).isNotEmpty().noneMatch(Comparison.Line::differs);
        assertThat(Comparison.table(MadeUp.run(), MadeUp.run()))
                .contains("side by side, 2")
                .contains("of one fork alone")
                .doesNotContain("  differs");
    }

    @Test
    void forksThatLieFarApartDifferAndThoseOfTheSameDoNot() {
        // Three rounds of a fork, then three of another.
        assertThat(remark(new double[] {10, 10, 10, 11, 11, 11}, new double[] {14, 14, 14, 15, 15, 15}))
                .isEqualTo("differs");
        assertThat(remark(new double[] {14, 14, 14, 15, 15, 15}, new double[] {10, 10, 90, 11, 11, 90}))
                .isEqualTo("differs");
        assertThat(remark(new double[] {10, 10, 10, 11, 11, 11}, new double[] {12, 12, 12, 13, 13, 13}))
                .as("less than a fifth")
                .isEqualTo("within the spread");
        assertThat(remark(new double[] {10, 10, 10, 13, 13, 13}, new double[] {16, 16, 16, 30, 30, 30}))
                .as("no farther than the forks themselves")
                .isEqualTo("within the spread");
        assertThat(remark(new double[] {0, 0, 0, 0, 0, 0}, new double[] {0, 0, 0, 0, 0, 0}))
                .isEqualTo("within the spread");
        assertThat(remark(new double[] {10, 10, 10}, new double[] {90, 90, 90, 91, 91, 91}))
                .isEqualTo("of one fork alone");
    }

    private static String remark(double[] a, double[] b) {
        String table = Comparison.table(one(a), one(b));
        return table.lines()
                .filter(line -> line.startsWith("B1 "))
                .map(line -> line.replaceFirst(".*  ", ""))
                .findFirst()
                .orElseThrow();
    }

    private static RunResult one(double... rounds) {
        return MadeUp.run(
                MadeUp.machine(),
                new ExperimentResult(
                        "B1", "JDK 25", 1, List.of(MadeUp.result("one loop of six", "", "ns/op", rounds))));
    }
}
