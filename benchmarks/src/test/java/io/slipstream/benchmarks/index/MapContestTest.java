package io.slipstream.benchmarks.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MapContestTest {
    /** A round throws if an answer is wrong. */
    @ParameterizedTest
    @EnumSource
    void everyMapGivesTheRightAnswersToEveryOperationTwice(Operation operation) {
        List<Supplier<LongMap>> peers =
                List.of(LongMap::fastutil, LongMap::agrona, LongMap::eclipse, LongMap::ofTheJdk);
        for (Supplier<LongMap> peer : peers) {
            try (MapContest contest = new MapContest(operation, LongMap::ours, peer, 10_000)) {
                for (int round = 0; round < 2; round++) {
                    assertThat(contest.ours()).isPositive();
                    assertThat(contest.peer()).isPositive();
                }
            }
        }
    }
}
