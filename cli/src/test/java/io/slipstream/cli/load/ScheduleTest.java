package io.slipstream.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final long SECOND = 1_000_000_000;
    private static final long START = 7 * SECOND;

    private final Schedule tenASecond = new Schedule(START, 3 * SECOND, SECOND / 10.0);

    @Test
    void aCommandIsDueWhenItsTimeHasComeAndNotAPeriodLater() {
        assertThat(tenASecond.due(START)).isEqualTo(1);
        assertThat(tenASecond.due(START + SECOND / 10 - 1)).isEqualTo(1);
        assertThat(tenASecond.due(START + SECOND / 10)).isEqualTo(2);
        assertThat(tenASecond.time(0)).isEqualTo(START);
        assertThat(tenASecond.time(1)).isEqualTo(START + SECOND / 10);
    }

    @Test
    void aLoadHasAsManyCommandsAsItsRateGivesInItsTimeHoweverLateItIsLookedAt() {
        assertThat(tenASecond.isOver(START + 3 * SECOND - 1)).isFalse();
        assertThat(tenASecond.due(START + 3 * SECOND - 1)).isEqualTo(30);
        assertThat(tenASecond.isOver(START + 3 * SECOND)).isTrue();
        assertThat(tenASecond.due(START + 60 * SECOND)).isEqualTo(30);
        assertThat(new Schedule(START, 5 * SECOND, SECOND / 1.5).due(START + 60 * SECOND))
                .isEqualTo(8);
    }
}
