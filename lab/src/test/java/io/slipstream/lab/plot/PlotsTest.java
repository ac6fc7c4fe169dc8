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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares every kind of plot with its golden file; run with {@code -Dgolden=write} to accept a change, and look at it.
 */
class PlotsTest {

    @ParameterizedTest
    @CsvSource({"bars,B3,0", "bars-of-groups,B4,0", "lines,B2,0", "percentiles,B24,0", "heat,M1,0", "lines-from-zero,M2,1"})
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
