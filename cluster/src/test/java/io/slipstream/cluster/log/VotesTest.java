package io.slipstream.cluster.log;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class VotesTest {
    private final Votes votes = new Votes(2);

    @Test
    void findsTheOneMemberThatDiffersFromAMajorityWrong() {
        votes.own(0, 10, 7);
        votes.add(1, 10, 8, 0);
        assertThatThrownBy(() -> votes.add(2, 10, 8, 0))
                .isInstanceOf(DifferentStateException.class)
                .hasMessageContaining("entry 10");
    }

    @Test
    void findsNobodyWrongWhileOnlyOneOtherDiffers() {
        votes.own(0, 10, 7);
        assertThatCode(() -> {
                    votes.add(1, 10, 8, 0);
                    votes.add(0, 10, 7, 0);
                    votes.add(2, 10, 7, 0);
                })
                .doesNotThrowAnyException();
    }

    @Test
    void comparesStatesBehindTheSameEntryAlone() {
        votes.own(0, 20, 7);
        assertThatCode(() -> {
                    votes.add(1, 10, 8, 0);
                    votes.add(2, 10, 8, 0);
                })
                .doesNotThrowAnyException();
    }
}
