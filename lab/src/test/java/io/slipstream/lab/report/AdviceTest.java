package io.slipstream.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.lab.MadeUp;
import io.slipstream.lab.run.CaseResult;
import io.slipstream.lab.run.ExperimentResult;
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
        assertThat(advice.get(2).text()).contains("Do not pin");
    }

    @Test
    void saysNothingWhereTheSpreadLiesAcrossTheLine() {
        assertThat(batching(1.0, 1.2, 1.5)).isEmpty();
    }

    @Test
    void praisesBatchingOnlyWhereItGains() {
        assertThat(batching(2, 2.1, 2.2)).singleElement().extracting(Advice::text).asString().contains("endOfBatch");
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
        List<CaseResult> cases = new ArrayList<>(b2.cases());
        cases.add(disturbed);
        assertThat(Advice.from(MadeUp.run(MadeUp.machine(), b2))).isNotEmpty();
        assertThat(Advice.from(MadeUp.run(MadeUp.machine(), new ExperimentResult("B2", "JDK 25", 1, cases))))
                .isEmpty();
    }

    @Test
    void givesTheJournalABatchBufferOfWholeBlocks() {
        ExperimentResult b21 = new ExperimentResult(
                "B21",
                "JDK 25",
                1,
                List.of(
                        MadeUp.result("by buffer size", "512", "write MB/s", 100),
                        MadeUp.result("by buffer size", "6000", "write MB/s", 950),
                        MadeUp.result("by buffer size", "65536", "write MB/s", 1_000)));
        assertThat(Advice.from(MadeUp.run(MadeUp.machine(), b21)))
                .singleElement()
                .extracting(Advice::text)
                .asString()
                .contains("JournalConfig.withBatchBytes(8192)");
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
