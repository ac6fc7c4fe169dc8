package io.slipstream.service.log;

import java.util.concurrent.atomic.AtomicLongArray;

/** How many commits took how long, by bounds. One thread adds; any thread reads. */
public final class CommitTimes {
    private static final long MICRO_NANOS = 1_000;
    private static final int[] BOUNDS_MICROS = {
        100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000
    };

    private final AtomicLongArray counts = new AtomicLongArray(BOUNDS_MICROS.length + 1);

    CommitTimes() {}

    void add(long nanos) {
        int bound = 0;
        while (bound < BOUNDS_MICROS.length && nanos > BOUNDS_MICROS[bound] * MICRO_NANOS) {
            bound++;
        }
        counts.setRelease(bound, counts.getPlain(bound) + 1);
    }

    /** Returns how many groups there are; the last one is of those that are longer than all bounds. */
    public static int groups() {
        return BOUNDS_MICROS.length + 1;
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
