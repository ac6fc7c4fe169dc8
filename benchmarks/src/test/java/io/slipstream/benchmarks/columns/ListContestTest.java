package io.slipstream.benchmarks.columns;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class ListContestTest {
    /** A round throws if an answer is wrong. Memory needs a heap in which nothing else happens. */
    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"MEMORY", "MEMORY_SEALED"})
    void listAndPeerGiveTheRightAnswers(ListContest.Operation operation) {
        for (boolean byRows : new boolean[] {false, true}) {
            try (ListContest contest = new ListContest(operation, byRows, 100_000)) {
                assertThat(contest.ours()).isPositive();
                assertThat(contest.peer()).isPositive();
            }
        }
    }

    @Test
    void sealingMakesAnElementSmaller() {
        for (boolean byRows : new boolean[] {false, true}) {
            try (ListContest plain = new ListContest(ListContest.Operation.MEMORY, byRows, 1 << 17);
                    ListContest sealed = new ListContest(ListContest.Operation.MEMORY_SEALED, byRows, 1 << 17)) {
                assertThat(sealed.ours()).isLessThan(plain.ours() / 2);
            }
        }
    }
}
