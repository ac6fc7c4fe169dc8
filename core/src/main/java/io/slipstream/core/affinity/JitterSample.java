package io.slipstream.core.affinity;

/**
 * How long a spinning thread was away from one CPU.
 *
 * @param cpu            the CPU
 * @param pinned         whether the thread was bound to it; if not it may have wandered
 * @param nanos          how long it was watched
 * @param thresholdNanos the shortest gap that counts
 * @param gaps           how often it was away
 * @param awayNanos      how long in all
 * @param longestNanos   the longest time
 * @param counts         how many gaps were from {@code 2^i} to under {@code 2^(i+1)} nanoseconds, for each index
 *                       {@code i}
 */
public record JitterSample(
        int cpu,
        boolean pinned,
        long nanos,
        long thresholdNanos,
        long gaps,
        long awayNanos,
        long longestNanos,
        long[] counts) {
    /** Copies the counts. */
    public JitterSample {
        counts = counts.clone();
    }

    @Override
    public long[] counts() {
        return counts.clone();
    }

    /** Returns the index of the count that a gap of {@code nanos} belongs to. */
    public static int bucket(long nanos) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, nanos));
    }

    /** Returns how often the thread was away within a second. */
    public double gapsPerSecond() {
        return gaps * 1e9 / Math.max(1, nanos);
    }

    /** Returns which part of the time the thread was away. */
    public double partAway() {
        return (double) awayNanos / Math.max(1, nanos);
    }
}
