package io.slipstream.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.lab.Case;
import io.slipstream.lab.Form;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaseRunnerTest {
    @TempDir
    private Path directory;

    private int passes;

    /** Short, so that a round has several passes. */
    private final Workload alternating = round -> {
        TimeUnit.MILLISECONDS.sleep(1);
        round.record("lost %", 2.0 * (passes % 2));
        if (passes == 0) {
            round.record("of the first pass", 7);
        }
        passes++;
    };

    @Test
    void aRoundIsAsManyPassesAsItTakesAndHasTheirMeans() throws Exception {
        List<Map<String, Double>> rounds = run(Form.QUICK);

        assertThat(rounds).hasSize(Form.QUICK.rounds());
        assertThat(rounds).allSatisfy(values -> assertThat(values.get("lost %")).isStrictlyBetween(0.0, 2.0));
        assertThat(passes).isGreaterThan(2 * Form.QUICK.rounds());
    }

    @Test
    void theTinyFormHasOnePassForARound() throws Exception {
        List<Map<String, Double>> rounds = run(Form.TINY);

        assertThat(rounds).containsExactly(Map.of("lost %", 0.0, "of the first pass", 7.0));
        assertThat(passes).isEqualTo(1);
    }

    @Test
    void aCaseMayAskForALongerWarmUp() {
        Case planned = plan(Form.QUICK).warmUp(Duration.ofSeconds(2));

        assertThat(planned.warmUpMillis(Form.TINY)).isZero();
        assertThat(planned.warmUpMillis(Form.QUICK)).isEqualTo(2_000);
        assertThat(planned.warmUpMillis(Form.FULL)).isEqualTo(5_000);
    }

    private Case plan(Form form) {
        return new Plan(form, 2, directory, null).add("a", () -> alternating);
    }

    private List<Map<String, Double>> run(Form form) throws Exception {
        List<Map<String, Double>> rounds = new ArrayList<>();
        CaseRunner.run(plan(form), form, directory, event -> {
            Map<String, Double> values = event.values();
            if (event.kind().equals("round") && values != null) {
                rounds.add(values);
            }
        });
        return rounds;
    }
}
