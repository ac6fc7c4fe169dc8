package io.slipstream.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.lab.Experiment;
import io.slipstream.lab.Form;
import io.slipstream.lab.Plan;
import io.slipstream.lab.experiment.Catalog;
import io.slipstream.lab.run.ExperimentResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
    private final Experiment experiment = Catalog.get("B2");
    private final StringWriter said = new StringWriter();

    @Test
    void rewritesOneLineWithWhatIsDoneAndWhatIsLeft() {
        ProgressBar bar = bar(true);
        at(bar, 0, 600);
        assertThat(said.toString())
                .startsWith("\r[" + ".".repeat(24) + "] 10 min left  B2 False sharing")
                .doesNotContain("\n");
        at(bar, 300, 600);
        assertThat(lastLine())
                .startsWith("[" + "#".repeat(12) + ".".repeat(12) + "]")
                .contains(" left");
        at(bar, 600, 600);
        assertThat(lastLine()).startsWith("[" + "#".repeat(24) + "] 0 s left");
        assertThat(said.toString().split("\r", -1))
                .allSatisfy(line -> assertThat(line.replace("\033[K", "")).hasSizeLessThan(80));
        bar.clear();
        assertThat(lastLine()).isEmpty();
    }

    @Test
    void writesALineForEachExperimentWhereThereIsNoTerminal() {
        ProgressBar bar = bar(false);
        at(bar, 0, 600);
        bar.finished(new ExperimentResult("B2", "JDK 25", 16.2, List.of()));
        bar.clear();
        assertThat(said.toString().strip()).isEqualTo("B2 on JDK 25: 16 s");
    }

    private ProgressBar bar(boolean terminal) {
        return new ProgressBar(new PrintWriter(said), terminal);
    }

    private void at(ProgressBar bar, double done, double total) {
        Plan plan = new Plan(Form.TINY, 2, Path.of("nowhere"), null);
        experiment.plan(plan);
        bar.at(experiment, plan.cases().getFirst(), done, total);
    }

    private String lastLine() {
        String all = said.toString();
        return all.substring(all.lastIndexOf('\r') + 1).replace("\033[K", "");
    }
}
