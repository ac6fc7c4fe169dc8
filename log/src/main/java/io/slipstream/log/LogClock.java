package io.slipstream.log;

import java.time.Instant;

/**
 * Nanoseconds since 1970 at the price of {@link System#nanoTime}: the distance between the two clocks is measured again
 * about once a second, and a clock that was set moves the times of messages by as much.
 */
final class LogClock {
    private static final long SECOND = 1_000_000_000;

    private volatile long distance;

    LogClock() {
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
            Instant now = Instant.now();
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
}
