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
    void nearlyTheSameHoldsWhenTheWholeRangeIsNearOne() {
        assertThat(Ratio.of(Sample.of(110), Sample.of(100)).within(0.15, "").kind())
                .isEqualTo(Verdict.Kind.HOLDS);
        assertThat(Ratio.of(Sample.of(80), Sample.of(100)).within(0.15, "").kind())
                .isEqualTo(Verdict.Kind.DOES_NOT_HOLD);
    }

    @Test
    void nearlyTheSameCannotBeToldWhenTheSpreadIsWide() {
        assertThat(Ratio.of(Sample.of(20, 60, 100), Sample.of(100))
                        .within(0.15, "")
                        .kind())
                .isEqualTo(Verdict.Kind.DOES_NOT_HOLD);
        assertThat(Ratio.of(Sample.of(0.3, 1, 3)).within(0.15, "").kind()).isEqualTo(Verdict.Kind.CANNOT_TELL);
        assertThat(Ratio.of(Sample.of(20, 60, 140), Sample.of(100))
                        .within(0.15, "")
                        .kind())
                .isEqualTo(Verdict.Kind.CANNOT_TELL);
    }

    @Test
    void theReasonTellsRatioRangeAndLine() {
        assertThat(Ratio.of(slow, fast).atLeast(1.5, "Slow against fast:").reason())
                .isEqualTo("Slow against fast: 2 times (1.96 to 2.04), wanted at least 1.5.");
    }

    @Test
    void comparesRoundByRoundSoThatADriftTouchesBothSides() {
        Sample one = Sample.of(100, 100, 100, 400, 400, 400);
        Sample twice = Sample.of(200, 201, 202, 800, 801, 802);

        Ratio ratio = Ratio.byRound(twice, one, new double[] {1, 1, 1, 1, 1, 1});

        assertThat(ratio.atLeast(1.9, "").kind()).isEqualTo(Verdict.Kind.HOLDS);
        assertThat(Ratio.of(twice, one).atLeast(1.9, "").kind()).isEqualTo(Verdict.Kind.CANNOT_TELL);
    }

    @Test
    void takesInThatTheProcessorsWereFartherApartOnOneSide() {
        Sample near = Sample.of(100, 100);
        Sample far = Sample.of(400, 400);

        assertThat(Ratio.byRound(far, near, new double[] {1, 1})).isEqualTo(new Ratio(4, 4, 4));
        assertThat(Ratio.byRound(far, near, new double[] {4, 4})).isEqualTo(new Ratio(1, 4, 4));
        assertThat(Ratio.byRound(near, far, new double[] {0.25, 0.25})).isEqualTo(new Ratio(0.25, 0.25, 1));
        assertThat(Ratio.byRound(far, near, new double[] {1.2, 1.2})).isEqualTo(new Ratio(4, 4, 4));
    }

    @Test
    void theFindingsKnowTheDistanceOfEachRound() {
        Findings found = new Findings()
                .put("a", "", "ns/op", Sample.of(400, 100))
                .put("a", "", "ops/s", Sample.of(1, 4))
                .put("a", "", Findings.DISTANCE, Sample.of(440, 110))
                .put("b", "", "ns/op", Sample.of(100, 100))
                .put("b", "", "ops/s", Sample.of(4, 4))
                .put("b", "", Findings.DISTANCE, Sample.of(110, 110));

        assertThat(found.ratio("ns/op", "a", "b")).isEqualTo(new Ratio(1, 2.5, 3.25));
        assertThat(found.ratio("ops/s", "a", "b")).isEqualTo(new Ratio(0.4375, 0.625, 1));
    }
}
