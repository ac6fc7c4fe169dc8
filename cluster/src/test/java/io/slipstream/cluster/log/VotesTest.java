package io.slipstream.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class VotesTest {
    private final Votes votes = new Votes(3, 0);

    @Test
    void findsTheOneMemberThatDiffersFromAMajorityWrong() {
        votes.own(10, 7);
        votes.add(1, 10, 8, true);
        assertThatThrownBy(() -> votes.add(2, 10, 8, true))
                .isInstanceOf(DifferentStateException.class)
                .hasMessageContaining("entry 10")
                .hasMessageContaining("2 members have");
    }

    @Test
    void findsAMemberWrongByItsOwnVoteWhenItIsFurtherByThen() {
        votes.own(20, 7);
        votes.add(0, 10, 7, true);
        votes.add(1, 10, 8, true);
        assertThatThrownBy(() -> votes.add(2, 10, 8, true))
                .isInstanceOf(DifferentStateException.class)
                .hasMessageContaining("2 members have");
    }

    @Test
    void findsNobodyWrongByWhatAMemberHasSaidInAFormerLife() {
        votes.own(10, 8);
        votes.add(0, 10, 7, false);
        votes.add(1, 10, 8, false);
        assertThat(votes.add(2, 10, 8, false)).isNull();
    }

    @Test
    void findsNobodyWrongWhileOnlyOneOtherDiffers() {
        votes.own(10, 7);
        assertThat(votes.add(1, 10, 8, true)).isNull();
        assertThat(votes.add(0, 10, 7, true)).contains("entry 10").contains("member 1 has 0000000000000008");
        assertThat(votes.isInDoubt()).isTrue();
        assertThat(votes.add(2, 10, 7, true)).isNull();
        assertThat(votes.isInDoubt()).isFalse();
    }

    @Test
    void comparesStatesBehindTheSameEntryAlone() {
        votes.own(20, 7);
        votes.add(1, 10, 8, true);
        assertThat(votes.add(2, 10, 8, true)).isNull();
    }

    @Test
    void stopsAllWhenNoMajorityCanHaveTheSameState() {
        votes.own(10, 7);
        votes.add(0, 10, 7, true);
        votes.add(1, 10, 8, true);
        assertThatThrownBy(() -> votes.add(2, 10, 9, true))
                .isInstanceOf(DifferentStateException.class)
                .hasMessageContaining("no majority has the same state");
    }

    @Test
    void stopsNobodyForThePastAndForgetsItWhenMembersStartAgain() {
        votes.add(0, 10, 7, false);
        votes.add(1, 10, 8, false);
        votes.add(2, 10, 9, false);
        assertThat(votes.isInDoubt()).isTrue();
        votes.forget(0);
        assertThat(votes.isInDoubt()).isTrue();
        votes.forget(1);
        assertThat(votes.isInDoubt()).isFalse();
    }

    @Test
    void noticesADifferenceThoughMembersVoteAtTheirOwnPace() {
        for (int entry = 10; entry <= 60; entry += 10) {
            votes.add(0, entry, 7, true);
        }
        assertThat(votes.add(1, 10, 8, true)).contains("entry 10");
        assertThatThrownBy(() -> votes.add(2, 10, 9, true)).isInstanceOf(DifferentStateException.class);
    }
}
