package io.slipstream.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RatioTest {
    private final Sample slow = Sample.of(98, 100, 102);
    private final Sample fast = Sample.of(49, 50, 51);

    @Test
    void holdsWhenTheWholeRangeIsAboveTheLine() {
        assertThat(Ratio.of(slow, fast).atLeast(1.5, "Slow against fast:").kind())
                .isEqualTo(Verdict.Kind.HOLDS);
    }

    @Test
    void doesNotHoldWhenTheWholeRangeIsBelow() {
        assertThat(Ratio.of(slow, fast).atLeast(3, "").kind()).isEqualTo(Verdict.Kind.DOES_NOT_HOLD);
    }

    @Test
    void cannotTellWhenTheSpreadLiesAcross() {
        Verdict verdict = Ratio.of(Sample.of(50, 100, 150), fast).atLeast(2, "");
        assertThat(verdict.kind()).isEqualTo(Verdict.Kind.CANNOT_TELL);
        assertThat(verdict.reason()).contains("spread");
    }

    @Test
    void atMostIsTheMirrorImage() {
        assertThat(Ratio.of(fast, slow).atMost(0.6, "").kind()).isEqualTo(Verdict.Kind.HOLDS);
        assertThat(Ratio.of(fast, slow).atMost(0.4, "").kind()).isEqualTo(Verdict.Kind.DOES_NOT_HOLD);
        assertThat(Ratio.of(fast, slow).atMost(0.5, "").kind()).isEqualTo(Verdict.Kind.CANNOT_TELL);
    }

    @Test
    void nearlyTheSameIsJudgedByTheMedians() {
        assertThat(Ratio.of(Sample.of(110), Sample.of(100))
                        .medianWithin(0.15, "")
                        .kind())
                .isEqualTo(Verdict.Kind.HOLDS);
        assertThat(Ratio.of(Sample.of(80), Sample.of(100))
                        .medianWithin(0.15, "")
                        .kind())
                .isEqualTo(Verdict.Kind.DOES_NOT_HOLD);
    }

    @Test
    void nearlyTheSameCannotBeToldWhenTheSpreadIsWide() {
        assertThat(Ratio.of(Sample.of(20, 60, 100), Sample.of(100))
                        .medianWithin(0.15, "")
                        .kind())
                .isEqualTo(Verdict.Kind.DOES_NOT_HOLD);
        assertThat(Ratio.of(Sample.of(20, 60, 140), Sample.of(100))
                        .medianWithin(0.15, "")
                        .kind())
                .isEqualTo(Verdict.Kind.CANNOT_TELL);
    }

    @Test
    void theReasonTellsRatioRangeAndLine() {
        assertThat(Ratio.of(slow, fast).atLeast(1.5, "Slow against fast:").reason())
                .isEqualTo("Slow against fast: 2 times (1.96 to 2.04), wanted at least 1.5.");
    }
}
