package io.slipstream.service.log;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many commits took how long, by bounds. One thread adds; any thread reads.
 *
 * <p>As counters, the groups have the owner {@link #OWNER} and the labels of {@link #label}; the time of all commits is
 * the counter {@link #SUM_LABEL} of {@link #SUM_OWNER}.
 */
public final class CommitTimes {
    /** Owner of the counters of the groups. */
    public static final String OWNER = "commit times";

    /** Owner of the counter of all the time in commits. */
    public static final String SUM_OWNER = "log";

    /** Label of the counter of all the time in commits. */
    public static final String SUM_LABEL = "time in commits";

    private static final long MICRO_NANOS = 1_000;
    private static final int[] BOUNDS_MICROS = {
        100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000
    };

    private final AtomicLongArray counts = new AtomicLongArray(BOUNDS_MICROS.length + 1);

    CommitTimes() {}

    void add(long nanos) {
        int bound = 0;
        while (nanos > boundNanos(bound)) {
            bound++;
        }
        counts.setRelease(bound, counts.getPlain(bound) + 1);
    }

    /** Returns how many groups there are; the last one is of those that are longer than all bounds. */
    public static int groups() {
        return BOUNDS_MICROS.length + 1;
    }

    /** Returns how long a commit of a group takes at most; {@link Long#MAX_VALUE} for the last group. */
    public static long boundNanos(int group) {
        return group < BOUNDS_MICROS.length ? BOUNDS_MICROS[group] * MICRO_NANOS : Long.MAX_VALUE;
    }

    /** Returns what the commits of a group have in common. */
    public static String label(int group) {
        return group < BOUNDS_MICROS.length ? "up to " + BOUNDS_MICROS[group] + " µs" : "longer";
    }

    /** Returns how many took longer than the bound of the group before, and no longer than that of this one. */
    public long count(int group) {
        return counts.getAcquire(group);
    }
}
