package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class LogClockTest {
    @Test
    void aTimeBeyondWhatNanosecondsCountIsNotTakenForOneLongAgo() {
        assertThat(nanosAt(Instant.parse("2300-01-01T00:00:00Z"))).isGreaterThan(nanosAt(year(2261)));
        assertThat(nanosAt(Instant.MAX)).isGreaterThan(nanosAt(year(2261)));
        assertThat(nanosAt(Instant.MIN)).isLessThan(nanosAt(year(1678)));
    }

    @Test
    void aTimeWithinItIsKept() {
        Instant time = year(2026);
        assertThat(Instant.ofEpochSecond(0, nanosAt(time))).isBetween(time.minusSeconds(60), time.plusSeconds(600));
    }

    private static Instant year(int year) {
        return Instant.parse(year + "-01-01T00:00:00Z");
    }

    private static long nanosAt(Instant time) {
        return new LogClock(InstantSource.fixed(time)).nanos();
    }
}
