package io.slipstream.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.lab.MadeUp;
import io.slipstream.lab.run.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                .contains("False sharing")
                .contains("holds")
                .contains("<svg")
                .contains("Reported then")
                .contains("./slipstream lab run B2 --quick")
                .contains("Rule: Holds when two threads");
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
                "it was interrupted");
        assertThat(HtmlReport.page(cut)).contains("This report is partial: it was interrupted");
    }

    @Test
    void adviceIsDrawnFromTheFigures() {
        assertThat(Advice.from(MadeUp.run()))
                .extracting(Advice::topic)
                .containsExactly("Wait strategy", "Padding", "Pinning");
        assertThat(Advice.from(MadeUp.run()).get(0).because())
                .contains("100 ns")
                .contains("9,100");
    }

    @Test
    void whatIsWrittenIsReadAgain(@TempDir Path directory) throws IOException {
        Reports.write(MadeUp.run(), directory);
        assertThat(ResultFile.read(directory.resolve("results.json"))).isEqualTo(MadeUp.run());
        assertThat(Files.readAllLines(directory.resolve("results.csv")))
                .contains("B2,JDK 25,side by side,2,ns/op,3,70.0");
        assertThat(Files.readString(directory.resolve("jmh.json")))
                .contains("\"primaryMetric\"")
                .contains("io.slipstream.lab.B2.side_by_side");
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
    void comparingARunWithItselfFindsNoDifference() {
        assertThat(Comparison.of(MadeUp.run(), MadeUp.run())).isNotEmpty().noneMatch(Comparison.Line::differs);
        assertThat(Comparison.table(MadeUp.run(), MadeUp.run()))
                .contains("side by side, 2")
                .contains("within the spread");
    }
}
