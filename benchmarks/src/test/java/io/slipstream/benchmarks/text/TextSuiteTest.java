package io.slipstream.benchmarks.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class TextSuiteTest {
    @Test
    void bothComeToTheSameSumOfAColumn() throws Exception {
        try (CsvContest contest = new CsvContest(200_000)) {
            assertThat(contest.ours()).isPositive();
            assertThat(contest.peer()).isPositive();
        }
    }

    @Test
    void findsOutAReaderThatReadsSomethingElse() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new TextContest(() -> 1, () -> 2, 1))
                .withMessage("ours comes to 1, the peer to 2");
    }

    @Test
    void findsOutGarbage() {
        TextContest contest = new TextContest(() -> new byte[1 << 20].length, () -> 1 << 20, 1);
        assertThatIllegalStateException().isThrownBy(contest::ours).withMessageContaining("allocated");
    }
}
