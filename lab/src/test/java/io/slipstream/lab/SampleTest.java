package io.slipstream.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class SampleTest {

    @Test
    void medianAndQuartilesInterpolateBetweenValues() {
        Sample sample = Sample.of(4, 1, 3, 2);
        assertThat(sample.median()).isEqualTo(2.5);
        assertThat(sample.low()).isEqualTo(1.75);
        assertThat(sample.high()).isEqualTo(3.25);
        assertThat(sample.min()).isEqualTo(1);
        assertThat(sample.max()).isEqualTo(4);
    }

    @Test
    void oneBadRoundDoesNotMoveTheMedian() {
        assertThat(Sample.of(10, 11, 10, 12, 500).median()).isEqualTo(11);
    }

    @Test
    void spreadIsTheMiddleHalfOverTheMedian() {
        assertThat(Sample.of(90, 100, 110).spread()).isEqualTo(0.1);
    }

    @Test
    void standardDeviationIsThatOfASample() {
        assertThat(Sample.of(2, 4, 4, 4, 5, 5, 7, 9).standardDeviation()).isCloseTo(2.138, within(0.001));
        assertThat(Sample.of(7).standardDeviation()).isZero();
    }

    @Test
    void refusesToBeEmpty() {
        assertThatThrownBy(() -> new Sample(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
