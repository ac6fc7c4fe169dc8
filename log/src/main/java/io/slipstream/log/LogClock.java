package io.slipstream.log;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Nanoseconds since 1970 at the price of {@link System#nanoTime}: the distance between the two clocks is measured again
 * about once a second, and a clock that was set moves the times of messages by as much. Nanoseconds can count from 1677
 * to 2262: a clock that is beyond stands near the end of that.
 */
final class LogClock {
    private static final long SECOND = 1_000_000_000;

    /* The clock moves between two measurements, and must not pass the end. */
    private static final Instant LATEST =
            Instant.ofEpochSecond(0, Long.MAX_VALUE).minus(Duration.ofDays(1));
    private static final Instant EARLIEST =
            Instant.ofEpochSecond(0, Long.MIN_VALUE).plus(Duration.ofDays(1));

    private final InstantSource clock;
    private volatile long distance;

    LogClock() {
        this(InstantSource.system());
    }

    LogClock(InstantSource clock) {
        this.clock = clock;
        calibrate();
    }

    long nanos() {
        return System.nanoTime() + distance;
    }

    void calibrate() {
        long best = Long.MAX_VALUE;
        long found = distance;
        for (int i = 0; i < 3; i++) {
            long before = System.nanoTime();
            Instant now = countable(clock.instant());
            long took = System.nanoTime() - before;
            if (took < best) {
                best = took;
                found = now.getEpochSecond() * SECOND + now.getNano() - before - took / 2;
            }
        }
        // Within what measuring it varies by, time stays as steady as nanoTime is.
        if (Math.abs(found - distance) > SECOND / 1_000) {
            distance = found;
        }
    }

    private static Instant countable(Instant time) {
        return time.isAfter(LATEST) ? LATEST : time.isBefore(EARLIEST) ? EARLIEST : time;
    }
}
