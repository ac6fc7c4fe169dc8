package io.slipstream.service.pressure;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.sequence.Sequence;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The pieces of back pressure, with a time that the test makes. */
class PressureTest {
    private static final long MILLIS = 1_000_000;

    private final Sequence processed = new Sequence();
    private final PendingLimit limit = new PendingLimit(processed, 50 * MILLIS, 256, 65_536);

    @Test
    void admitsLittleBeforeItKnowsHowFastTheServiceIs() {
        assertThat(offer(100_000)).isEqualTo(1_000);
    }

    /** One slow beginning, such as the first force of a disk that was asleep, says little. */
    @Test
    void doesNotTakeASlowFirstIntervalForTheRate() {
        offer(1_000);
        limit.measure(now += 2 * MILLIS);
        limit.measure(now += 2 * MILLIS);
        processed.setRelease(1);
        limit.measure(now += 300 * MILLIS);
        assertThat(limit.limit()).isGreaterThan(900);
    }

    @Test
    void admitsWhatIsDoneWithinTheResponseTime() {
        run(100);
        assertThat(limit.limit()).isEqualTo(5_000);
        assertThat(offer(100_000) + limit.pending()).isGreaterThanOrEqualTo(5_000);
        assertThat(limit.pending()).isEqualTo(5_000);
        run(100_000);
        assertThat(limit.limit()).isEqualTo(65_536);
    }

    @Test
    void neverAsksAllToComeBackAtTheSameTime() {
        offer(1_000);
        assertThat(LongStream.range(0, 100)
                        .map(i -> limit.retryAfterNanos())
                        .distinct()
                        .count())
                .isGreaterThan(90);
        assertThat(LongStream.range(0, 100).map(i -> limit.retryAfterNanos()))
                .allMatch(nanos -> nanos >= 50 * MILLIS && nanos < 100 * MILLIS);
        run(100);
        offer(100_000);
        assertThat(LongStream.range(0, 100).map(i -> limit.retryAfterNanos()))
                .allMatch(nanos -> nanos >= 49 * MILLIS && nanos < 101 * MILLIS);
    }

    @Test
    void asksToComeBackAfterAsLongAsNothingHasBeenDoneButNotMuchLater() {
        limit.measure(now);
        offer(1);
        limit.measure(now += 40 * MILLIS);
        assertThat(limit.retryAfterNanos()).isBetween(40 * MILLIS, 80 * MILLIS);
        limit.measure(now += 3_600_000 * MILLIS);
        assertThat(limit.retryAfterNanos()).isBetween(500 * MILLIS, 1_000 * MILLIS);
        processed.setRelease(1);
        limit.measure(now += MILLIS);
        assertThat(limit.retryAfterNanos()).isLessThan(MILLIS);
    }

    @Test
    void levelsRiseAtOnceAndFallLate() {
        PressureGauge gauge = new PressureGauge();
        assertThat(gauge.update(69, 100)).isEqualTo(PressureGauge.Level.NORMAL);
        assertThat(gauge.update(70, 100)).isEqualTo(PressureGauge.Level.ELEVATED);
        assertThat(gauge.update(61, 100)).isEqualTo(PressureGauge.Level.ELEVATED);
        assertThat(gauge.update(59, 100)).isEqualTo(PressureGauge.Level.NORMAL);
        assertThat(gauge.update(100, 100)).isEqualTo(PressureGauge.Level.FULL);
        assertThat(gauge.update(91, 100)).isEqualTo(PressureGauge.Level.FULL);
        assertThat(gauge.update(89, 100)).isEqualTo(PressureGauge.Level.SHEDDING);
        assertThat(gauge.update(74, 100)).isEqualTo(PressureGauge.Level.ELEVATED);
        assertThat(gauge.update(0, 100)).isEqualTo(PressureGauge.Level.NORMAL);
    }

    private int offer(int commands) {
        int admitted = 0;
        for (int i = 0; i < commands && limit.hasRoom(); i++) {
            limit.accept();
            admitted++;
        }
        return admitted;
    }

    /** Works at {@code perMilli} commands a millisecond, with never too little to do. */
    private void run(int perMilli) {
        for (long milli = 1; milli <= 200; milli += 2) {
            offer(Integer.MAX_VALUE);
            limit.measure(now += 2 * MILLIS);
            processed.setRelease(processed.getPlain() + Math.min(2L * perMilli, limit.pending() - 200));
        }
        limit.measure(now += 2 * MILLIS);
    }

    private long now = MILLIS;
}
