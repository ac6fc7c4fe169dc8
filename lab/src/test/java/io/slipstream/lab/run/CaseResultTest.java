package io.slipstream.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.lab.Findings;
import io.slipstream.lab.MadeUp;
import io.slipstream.lab.run.quiet.Calm;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CaseResultTest {
    private final CaseResult first = MadeUp.result("a", "", "ns/op", 1, 2);

    @Test
    void aRepeatTakesThePlaceOfTheForkThatWasDisturbed() {
        CaseResult repeat = MadeUp.result("a", "", "ns/op", 3, 4).inPlaceOf(first);

        assertThat(repeat.samples()).containsEntry("ns/op", List.of(3.0, 4.0));
        assertThat(repeat.repeated()).isEqualTo(1);
        assertThat(repeat.warning()).isNull();
    }

    @Test
    void aRepeatWithoutFiguresLeavesThoseThatThereAre() {
        CaseResult kept = CaseResult.missing("a", "", "JDK 25", List.of(), "it was killed")
                .inPlaceOf(first);

        assertThat(kept.samples()).isEqualTo(first.samples());
        assertThat(kept.missing()).isNull();
        assertThat(kept.warning()).isEqualTo("it could not be repeated: it was killed");
    }

    @Test
    void warningsAreKeptBesideEachOther() {
        assertThat(first.warned("one").warned("two").warning()).isEqualTo("one; two");
    }

    @Test
    void figuresThatGotBetterInEveryForkAreMarked() {
        assertThat(unsettled("ns/op", 200, 150, 120, 300, 290, 200))
                .isEqualTo("figures got better from round to round");
        assertThat(unsettled("calls/s @ 512", 100, 110, 120, 90, 100, 110)).isNotNull();
    }

    @Test
    void figuresThatDidNotGetBetterInEveryForkAreNot() {
        assertThat(unsettled("ns/op", 200, 150, 120, 200, 120, 150)).isNull();
        assertThat(unsettled("ns/op", 120, 150, 200, 120, 150, 200)).isNull();
        assertThat(unsettled("ns/op", 200, 199, 198, 200, 150, 100)).isNull();
        assertThat(unsettled("calls/s", 120, 110, 100, 110, 100, 90)).isNull();
        assertThat(unsettled("ns/op", 0, 0, 0, 0, 0, 0)).isNull();
        assertThat(unsettled("ns/op", 200, 150, 120)).isNull();
        assertThat(unsettled("lost %", 200, 150, 120, 300, 290, 200)).isNull();
        assertThat(unsettled(Findings.DISTANCE, 200, 150, 120, 300, 290, 200)).isNull();
    }

    @Test
    void oneFigureOfManyThatGotBetterMarksNone() {
        Map<String, List<Double>> samples = Map.of(
                "add ns @ 10", List.of(200.0, 150.0, 120.0, 200.0, 150.0, 120.0),
                "add ns @ 100", List.of(200.0, 300.0, 320.0, 200.0, 280.0, 300.0));
        CaseResult result = new CaseResult("a", "", "JDK 25", List.of(), samples, Calm.UNKNOWN, 0, 1, 0, null, null);

        assertThat(result.markedIfUnsettled(3).warning()).isNull();
    }

    private static @Nullable String unsettled(String metric, double... values) {
        return MadeUp.result("a", "", metric, values).markedIfUnsettled(3).warning();
    }
}
