package io.slipstream.service.snapshot;

import io.slipstream.core.thread.Patience;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When a service takes snapshots by itself, whether it checks them, and what of the log is kept behind them. A value;
 * each {@code with} method returns a changed copy.
 *
 * <p>Bytes of log count from the last snapshot on, also if the service was started again since. They are those that the
 * log takes on the device, and each commit takes whole blocks: small commands that come one by one take 4 KiB each.
 *
 * <p>A log is trimmed in whole segments, behind the oldest of the snapshots that are kept, and never before that.
 *
 * @param logBytes after how many bytes of log a snapshot is due; 0 for never
 * @param interval after which time a snapshot is due, if there was anything new; zero for never
 * @param keepLog  for how long the log is kept although no snapshot needs it; null for ever: then nothing is trimmed
 * @param kept     how many snapshots are kept; 2 or more
 * @param checked  whether each snapshot is loaded again before it counts
 */
public record SnapshotPolicy(
        long logBytes, Duration interval, @Nullable Duration keepLog, int kept, boolean checked) {
    private static final int LEAST_KEPT = 2;

    /** Checks the values. */
    public SnapshotPolicy {
        interval = Patience.countable(interval);
        keepLog = keepLog == null ? null : Patience.countable(keepLog);
        if (logBytes < 0) {
            throw new IllegalArgumentException("a snapshot is due after 0 bytes of log or more, not " + logBytes);
        }
        if (interval.isNegative()) {
            throw new IllegalArgumentException("a snapshot is due after some time, not " + interval);
        }
        if (keepLog != null && keepLog.isNegative()) {
            throw new IllegalArgumentException("the log is kept for some time, not " + keepLog);
        }
        if (kept < LEAST_KEPT) {
            throw new IllegalArgumentException("at least " + LEAST_KEPT + " snapshots are kept, so that there is one"
                    + " to fall back to, not " + kept);
        }
    }

    /** Snapshots are taken when they are asked for, and nothing is trimmed. */
    public static SnapshotPolicy onDemand() {
        return new SnapshotPolicy(0, Duration.ZERO, null, LEAST_KEPT, false);
    }

    /** A snapshot is due after so many bytes of log. Nothing is trimmed unless {@link #withLogKept} says so. */
    public static SnapshotPolicy everyLogBytes(long bytes) {
        return new SnapshotPolicy(bytes, Duration.ZERO, null, LEAST_KEPT, false);
    }

    /** Returns a copy by which a snapshot is due after that time as well. */
    public SnapshotPolicy withInterval(Duration time) {
        Objects.requireNonNull(time, "time");
        return new SnapshotPolicy(logBytes, time, keepLog, kept, checked);
    }

    /** Returns a copy by which the log that no snapshot needs is removed once it is that old; at once for zero. */
    public SnapshotPolicy withLogKept(Duration time) {
        Objects.requireNonNull(time, "time");
        return new SnapshotPolicy(logBytes, interval, time, kept, checked);
    }

    /** Returns a copy by which that many snapshots are kept, 2 or more, and the log behind the oldest of them. */
    public SnapshotPolicy withSnapshotsKept(int count) {
        return new SnapshotPolicy(logBytes, interval, keepLog, count, checked);
    }

    /**
     * Returns a copy by which each snapshot, before it counts and before anything is trimmed, is loaded into one more
     * machine, whose state must have the same hash as the one that was saved. Otherwise there is no snapshot, those
     * before are kept, and nothing is trimmed. It takes as long as a start from that snapshot, and no command waits for
     * it. It is for services that are started with what makes their machines.
     */
    public SnapshotPolicy withLoadCheck() {
        return new SnapshotPolicy(logBytes, interval, keepLog, kept, true);
    }
}
