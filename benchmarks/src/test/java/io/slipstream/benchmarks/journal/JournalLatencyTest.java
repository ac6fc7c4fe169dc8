package io.slipstream.benchmarks.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JournalLatencyTest {
    @Test
    void printsTheMedianOfTheRoundsForEachPercentile() {
        JournalLatency.Case three = new JournalLatency.Case(
                200, List.of(new double[] {1, 9, 3, 4, 5, 60}, new double[] {2, 2, 2, 2, 2, 2000.5}, new double[] {
                    3, 1, 1, 3, 8, 10
                }));
        assertThat(JournalLatency.line("SYNC", three).split("\\s+"))
                .containsExactly("SYNC", "200", "2.0", "2.0", "2.0", "3.0", "5.0", "60.0");
    }
}
