package io.slipstream.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.demo.Verdicts.Outcome;
import io.slipstream.cli.load.Load;
import io.slipstream.cli.load.Tally;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** An exchange that takes 1,000 commands a second and is to answer within 50 ms, watched for a second. */
class OverloadRulesTest {
    private final OverloadRules rules = new OverloadRules(1_000, 50);
    private final StringWriter said = new StringWriter();

    @Test
    void holdsWhenWhatIsPromisedWasSeen() {
        Verdicts verdicts = judge(3_000, 950, 49);
        assertThat(verdicts.isAny(Outcome.BROKEN)).isFalse();
        assertThat(verdicts.isAny(Outcome.INCONCLUSIVE)).isFalse();
        assertThat(said.toString())
                .contains(
                        "3,000 commands/s offered, 3.0 times what it can take; 950/s answered, 95 "
                                + "% of the "
                                + "peak",
                        "wanted: 95 % or more, at 3 times or more; less than 60 % is broken",
                        "wanted: 99 % within 50 ms, at 3 times or more; more than 200 ms is broken");
    }

    @Test
    void cannotBeToldWhenLessThanThreeTimesWasOffered() {
        for (Verdicts verdicts : List.of(judge(2_900, 1_000, 10), judge(500, 500, 10))) {
            assertThat(verdicts.isAny(Outcome.HOLDS)).isFalse();
            assertThat(verdicts.isAny(Outcome.BROKEN)).isFalse();
        }
    }

    @Test
    void cannotBeToldBetweenTheLinesWhereTheClientsMayBeToBlame() {
        Verdicts verdicts = judge(3_500, 940, 51);
        assertThat(verdicts.isAny(Outcome.HOLDS)).isFalse();
        assertThat(verdicts.isAny(Outcome.BROKEN)).isFalse();
    }

    @Test
    void isBrokenBeyondTheWiderLineHoweverMuchWasOffered() {
        assertThat(judge(3_500, 590, 10).isAny(Outcome.BROKEN)).isTrue();
        assertThat(judge(3_500, 1_000, 210).isAny(Outcome.BROKEN)).isTrue();
        assertThat(judge(1_500, 590, 10).isAny(Outcome.BROKEN)).isTrue();
    }

    private Verdicts judge(long offered, long answered, long millis) {
        Histogram latencies = new Histogram(3);
        latencies.recordValue(millis * 1_000_000);
        Verdicts verdicts = new Verdicts();
        rules.judge(new Load.Result(1, new Tally(offered, answered, offered - answered, 0, 0), latencies), verdicts);
        verdicts.print(new PrintWriter(said, true));
        return verdicts;
    }
}
