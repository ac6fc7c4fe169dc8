package io.slipstream.lab.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.lab.Findings;
import io.slipstream.lab.MadeUp;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Sample;
import io.slipstream.lab.experiment.Catalog;
import io.slipstream.lab.run.ExperimentResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares every kind of plot with its golden file; run with {@code -Dgolden=write} to accept a change, and look at it.
 */
class PlotsTest {

    @ParameterizedTest
    @CsvSource({
        "bars,B3,0",
        "bars-of-groups,B4,0",
        "lines,B2,0",
        "percentiles,B24,0",
        "heat,M1,0",
        "lines-from-zero,M2,1"
    })
    void drawsAsBefore(String name, String id, int plot) throws IOException {
        ExperimentResult result = MadeUp.run().experiments().stream()
                .filter(e -> e.id().equals(id))
                .findFirst()
                .orElseThrow();
        String svg = Plots.draw(Catalog.get(id).card().plots().get(plot), result.findings(), MadeUp.machine());
        Path golden = Path.of("src/test/resources/io/slipstream/lab/plot", name + ".svg");
        if ("write".equals(System.getProperty("golden"))) {
            Files.writeString(golden, svg);
        }
        assertThat(svg).isEqualTo(Files.readString(golden));
    }

    @Test
    void seriesAreToldApartWithoutColourAndSeenWhereTheyLieOnEachOther() {
        Findings found = new Findings();
        for (int i = 0; i < 9; i++) {
            found.put("series " + i, 1, "ns/op", Sample.of(5)).put("series " + i, 2, "ns/op", Sample.of(5));
        }
        List<String> marks = Plots.draw(Plot.lines("ns/op", "threads"), found, MadeUp.machine())
                .lines()
                .filter(line -> line.contains(", 1: 5"))
                .map(line -> line.replaceFirst("<title>.*", ""))
                .toList();
        assertThat(marks).hasSize(9).doesNotHaveDuplicates();
        assertThat(IntStream.range(0, 9).mapToObj(i -> {
                    Series series = new Series(i, 9);
                    return series.lineStyle().replaceFirst("s\\d", "")
                            + series.markStyle().replaceFirst(" .*", "")
                            + i % 4;
                }))
                .as("dashes, full or hollow, and shape")
                .doesNotHaveDuplicates();
    }

    @Test
    void aHeatMapTakesOneDirectionForBoth() {
        Findings one = new Findings();
        for (String[] pair : new String[][] {{"0", "1"}, {"0", "2"}, {"1", "2"}}) {
            one.put(pair[0], pair[1], "ns/round trip", Sample.of(90));
        }
        String svg = Plots.draw(Plot.heat("ns/round trip", "to processor"), one, MadeUp.machine());
        assertThat(svg.split("<rect", -1)).hasSize(1 + 6);
        assertThat(svg).contains("2 to 0: 90").contains("0 to 2: 90");
    }

    @Test
    void aSparklineKeepsItsExtremesWithinItsBox() {
        String svg = Sparkline.draw(List.of(0, 60, 500_000, 80), 10, 500_000, "late, µs");
        assertThat(svg)
                .contains("late, µs, at worst 500,000")
                .contains("points=\"2,20 ")
                .contains(",2 ");
        assertThat(Sparkline.draw(List.of(), 10, 0, "late")).doesNotContain("NaN");
    }

    @Test
    void anythingFromOutsideIsEscaped() {
        Findings found = new Findings().put("<script>&", "", "ns/op", Sample.of(1));
        assertThat(Plots.draw(Plot.bars("ns/op"), found, MadeUp.machine()))
                .doesNotContain("<script")
                .contains("&lt;script&gt;&amp;");
    }

    @Test
    void nothingToDrawIsNothing() {
        assertThat(Plots.draw(Plot.bars("ns/op"), new Findings(), MadeUp.machine()))
                .isEmpty();
    }

    @Test
    void zerosAndSinglePointsDoNotBreakAxes() {
        Findings found = new Findings().put("a", 1, "lost %", Sample.of(0, 0)).put("b", 1, "lost %", Sample.of(0));
        for (Plot plot : List.of(Plot.bars("lost %"), Plot.bars("lost %").log(), Plot.lines("lost %", "threads"))) {
            assertThat(Plots.draw(plot, found, MadeUp.machine()))
                    .doesNotContain("NaN")
                    .doesNotContain("Infinity");
        }
    }

    @Test
    void ticksAreRoundNumbers() {
        assertThat(Scale.linear(87, 0, 100).ticks()).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0);
        assertThat(Scale.logarithmic(3, 450, 0, 100).ticks()).containsExactly(1.0, 10.0, 100.0, 1000.0);
    }
}
