package io.slipstream.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.lab.MadeUp;
import java.util.List;
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
}
