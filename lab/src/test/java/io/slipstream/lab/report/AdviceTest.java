package io.slipstream.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.lab.MadeUp;
import io.slipstream.lab.machine.MachineSheet;
import io.slipstream.lab.run.CaseResult;
import io.slipstream.lab.run.ExperimentResult;
import io.slipstream.lab.run.quiet.Calm;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdviceTest {

    @Test
    void isDrawnFromTheFiguresAndNamesTheSettingsThatFollow() {
        List<Advice> advice = Advice.from(MadeUp.run());
        assertThat(advice).extracting(Advice::topic).containsExactly("Wait strategy", "Padding", "Pinning");
        assertThat(advice.get(0).because()).contains("100 ns", "9,100");
        assertThat(advice.get(0).text()).contains("WaitStrategy.busySpin()", "Threading.THREE");
        assertThat(advice.get(2).text()).contains("PinPlan.onePerCore");
    }

    @Test
    void dependsOnTheProcessorsThatCouldBeUsed() {
        List<ExperimentResult> results = MadeUp.run().experiments();
        List<Advice> advice =
                Advice.from(MadeUp.run(MadeUp.machine("none", 2), results.toArray(ExperimentResult[]::new)));
        assertThat(advice.get(0).text()).contains("WaitStrategy.backoff()", "Threading.TWO");
        assertThat(advice).extracting(Advice::topic).contains("Pinning");
        assertThat(advice.get(2).text()).contains("A rule of thumb: Do not pin");
    }

    @Test
    void saysNothingWhereTheSpreadLiesAcrossTheLine() {
        assertThat(batching(1.0, 1.2, 1.5)).isEmpty();
    }

    @Test
    void praisesBatchingOnlyWhereItGains() {
        assertThat(batching(2, 2.1, 2.2))
                .singleElement()
                .extracting(Advice::text)
                .asString()
                .contains("endOfBatch");
        assertThat(batching(0.7, 0.8, 0.9))
                .singleElement()
                .extracting(Advice::text)
                .asString()
                .contains("gains little");
    }

    @Test
    void isNotDrawnFromFiguresThatWereDisturbed() {
        ExperimentResult b2 = MadeUp.run().experiments().get(0);
        CaseResult disturbed = MadeUp.disturbed().experiments().get(0).cases().get(0);
        List<CaseResult> more = new ArrayList<>(b2.cases());
        more.add(disturbed);
        List<CaseResult> worse = new ArrayList<>(b2.cases());
        worse.replaceAll(c -> c.series().equals("side by side") ? disturbed(c, disturbed.calm()) : c);
        assertThat(Advice.from(MadeUp.run(MadeUp.machine(), new ExperimentResult("B2", "JDK 25", 1, more))))
                .isNotEmpty();
        assertThat(Advice.from(MadeUp.run(MadeUp.machine(), new ExperimentResult("B2", "JDK 25", 1, worse))))
                .isEmpty();
    }

    @Test
    void namesTheSmallestBufferThatIsNearTheBest() {
        assertThat(buffers(MadeUp.result("by buffer size", "8192", "write MB/s", 950, 960)))
                .singleElement()
                .extracting(Advice::text)
                .asString()
                .contains("pieces of 8 KB or more", "JournalConfig.withBatchBytes");
        assertThat(buffers(MadeUp.result("by buffer size", "8192", "write MB/s", 800, 810)))
                .singleElement()
                .extracting(Advice::text)
                .asString()
                .contains("pieces of 64 KB or more");
    }

    @Test
    void namesNoBufferWhereTheSpreadLiesAcrossTheLine() {
        assertThat(buffers(MadeUp.result("by buffer size", "8192", "write MB/s", 200, 2_000)))
                .isEmpty();
    }

    @Test
    void namesAWayToWriteOnlyWhereTheSpreadAllowsIt() {
        assertThat(files(1_000, 1_000))
                .extracting(Advice::text)
                .singleElement()
                .asString()
                .contains("among the fastest");
        assertThat(files(2_000, 2_000))
                .extracting(Advice::text)
                .singleElement()
                .asString()
                .contains("WriteMode.MAPPED");
        assertThat(files(500, 1_900, 1_900)).isEmpty();
        assertThat(files(1_000, 1_000))
                .singleElement()
                .extracting(Advice::text)
                .asString()
                .contains("which this did not measure");
    }

    @Test
    void wantsOneWriterWhereSharingCosts() {
        assertThat(advice(
                        "B6",
                        MadeUp.result("CAS", "two threads", "ns/op", 36, 40),
                        MadeUp.result("plain", "one thread", "ns/op", 1, 1)))
                .containsExactly("a ring for one publisher");
        assertThat(advice(
                        "B6",
                        MadeUp.result("CAS", "two threads", "ns/op", 1.5, 1.5),
                        MadeUp.result("plain", "one thread", "ns/op", 1, 1)))
                .isEmpty();
    }

    @Test
    void namesACollectorByWhatThePausesSay() {
        assertThat(advice(
                        "B29",
                        MadeUp.result("serial", "64", "pause ms", 100, 110),
                        MadeUp.result("ZGC", "64", "pause ms", 0.2, 0.2)))
                .containsExactly("-XX:+UseZGC");
        assertThat(advice(
                        "B29",
                        MadeUp.result("serial", "64", "pause ms", 1, 1),
                        MadeUp.result("ZGC", "64", "pause ms", 0.5, 0.5)))
                .containsExactly("no collector here");
    }

    @Test
    void saysSoWhereLittleIsGained() {
        assertThat(advice(
                        "B2",
                        MadeUp.result("padded", "2", "ns/op", 10, 10),
                        MadeUp.result("side by side", "2", "ns/op", 10, 11)))
                .containsExactly("Padding shows little");
        assertThat(advice(
                        "B4",
                        MadeUp.result("condition, pinned", "", "ns/op", 9_000, 9_000),
                        MadeUp.result("condition, free", "", "ns/op", 9_000, 9_100)))
                .containsExactly("Pinning gains little");
        CaseResult spinning = MadeUp.result("Java", "", "ns/op", 100, 100);
        CaseResult parking = MadeUp.result("condition, pinned", "", "ns/op", 110, 120);
        assertThat(Advice.from(MadeUp.run(
                        MadeUp.machine(),
                        new ExperimentResult("B3", "JDK 25", 1, List.of(spinning)),
                        new ExperimentResult("B4", "JDK 25", 1, List.of(parking)))))
                .singleElement()
                .extracting(Advice::text)
                .asString()
                .contains("Spinning gains little");
    }

    @Test
    void isAboutTheFirstJvmAlone() {
        ExperimentResult b2 = MadeUp.run().experiments().get(0);
        ExperimentResult onAnother = new ExperimentResult("B2", "JDK 17", 1, b2.cases());
        MachineSheet two = MadeUp.machine().withJvms(List.of("JDK 25", "JDK 17"));
        assertThat(Advice.from(MadeUp.run(two, b2))).isNotEmpty();
        assertThat(Advice.from(MadeUp.run(two, onAnother))).isEmpty();
    }

    @Test
    void mustStandWithWiderRangesWhereThereAreDoubts() {
        ExperimentResult near = new ExperimentResult(
                "B2",
                "JDK 25",
                1,
                List.of(
                        MadeUp.result("padded", "2", "ns/op", 10, 10),
                        MadeUp.result("side by side", "2", "ns/op", 14, 14)));
        assertThat(Advice.from(MadeUp.run(MadeUp.machine(), near))).isNotEmpty();
        assertThat(Advice.from(MadeUp.run(MadeUp.machine("Made-up cloud", 8), near)))
                .isEmpty();
    }

    private static CaseResult disturbed(CaseResult c, Calm calm) {
        return new CaseResult(
                c.series(), c.x(), c.jvm(), c.flags(), c.samples(), calm, 0, c.threads(), 0, c.warning(), c.missing());
    }

    private static List<Advice> buffers(CaseResult middle) {
        return Advice.from(MadeUp.run(
                MadeUp.machine(),
                new ExperimentResult(
                        "B21",
                        "JDK 25",
                        1,
                        List.of(
                                MadeUp.result("by buffer size", "512", "write MB/s", 100, 100),
                                middle,
                                MadeUp.result("by buffer size", "65536", "write MB/s", 1_000, 1_000)))));
    }

    /** What a channel of 1,000 MB/s is advised beside a mapping. */
    private static List<Advice> files(double... mapped) {
        return Advice.from(MadeUp.run(
                MadeUp.machine(),
                new ExperimentResult(
                        "B8",
                        "JDK 25",
                        1,
                        List.of(
                                MadeUp.result("FileChannel", "", "page write MB/s", 1_000, 1_000),
                                MadeUp.result("mapped", "", "page write MB/s", mapped)))));
    }

    /** What the advice drawn from one experiment says, in a few words. */
    private static List<String> advice(String id, CaseResult... cases) {
        List<String> known = List.of(
                "a ring for one publisher",
                "-XX:+UseZGC",
                "no collector here",
                "Padding shows little",
                "Pinning gains little");
        return Advice.from(MadeUp.run(MadeUp.machine(), new ExperimentResult(id, "JDK 25", 1, List.of(cases)))).stream()
                .map(advice -> known.stream()
                        .filter(words -> advice.text().replaceAll("\\s+", " ").contains(words))
                        .findFirst()
                        .orElse(advice.text()))
                .toList();
    }

    private static List<Advice> batching(double... oneByOne) {
        return Advice.from(MadeUp.run(
                MadeUp.machine(),
                new ExperimentResult(
                        "B11",
                        "JDK 25",
                        1,
                        List.of(
                                MadeUp.result("one by one", "", "mean µs", oneByOne),
                                MadeUp.result("smart batching", "", "mean µs", 1, 1, 1)))));
    }
}
