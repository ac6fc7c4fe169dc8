package io.slipstream.service.snapshot;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * When a service takes snapshots by itself, and what of the log is kept behind them. A value; each {@code with} method
 * returns a changed copy.
 *
 * <p>A log is trimmed in whole segments, behind the older one of the two snapshots that are kept, and never before
 * that.
 *
 * @param logBytes after how many bytes of log a snapshot is due; 0 for never
 * @param interval after which time a snapshot is due, if there was anything new; zero for never
 * @param keepLog  for how long the log is kept although no snapshot needs it; null for ever: then nothing is trimmed
 */
public record SnapshotPolicy(long logBytes, Duration interval, @Nullable Duration keepLog) {
    /** Checks the values. */
    public SnapshotPolicy {
        if (logBytes < 0) {
            throw new IllegalArgumentException("a snapshot is due after 0 bytes of log or more, not " + logBytes);
        }
        if (interval.isNegative()) {
            throw new IllegalArgumentException("a snapshot is due after some time, not " + interval);
        }
        if (keepLog != null && keepLog.isNegative()) {
            throw new IllegalArgumentException("the log is kept for some time, not " + keepLog);
        }
    }

    /** Snapshots are taken when they are asked for, and nothing is trimmed. */
    public static SnapshotPolicy onDemand() {
        return new SnapshotPolicy(0, Duration.ZERO, null);
    }

    /** A snapshot is due after so many bytes of log. Nothing is trimmed unless {@link #withLogKept} says so. */
    public static SnapshotPolicy everyLogBytes(long bytes) {
        return new SnapshotPolicy(bytes, Duration.ZERO, null);
    }

    /** Returns a copy by which a snapshot is due after that time as well. */
    public SnapshotPolicy withInterval(Duration time) {
        return new SnapshotPolicy(logBytes, time, keepLog);
    }

    /** Returns a copy by which the log that no snapshot needs is removed once it is that old; at once for zero. */
    public SnapshotPolicy withLogKept(Duration time) {
        return new SnapshotPolicy(logBytes, interval, time);
    }
}
