package io.slipstream.benchmarks;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long a number takes from one thread to another and back, both spinning: what the machine allows at this moment.
 *
 * <p>Where threads meet, this time explains most of a figure, and in a virtual machine it changes from one second to
 * the next, as the host moves its processors about. So it is measured beside every round.
 */
final class CpuRoundTrip {
    private static final int THERE = 32;
    private static final int BACK = 64;
    private static final int TRIPS = 50_000;
    private static final int BATCH = 100;

    private CpuRoundTrip() {}

    /** Returns the median of {@value TRIPS} round trips, taken in batches, in nanoseconds. */
    static double medianNanos() throws InterruptedException {
        AtomicLongArray cells = new AtomicLongArray(THERE + BACK + THERE);
        Thread partner = Thread.ofPlatform().daemon().start(() -> {
            for (long i = 1; i <= TRIPS; i++) {
                await(cells, THERE, i);
                cells.setRelease(BACK, i);
            }
        });
        double[] nanos = new double[TRIPS / BATCH];
        long begin = System.nanoTime();
        for (int i = 1; i <= TRIPS; i++) {
            cells.setRelease(THERE, i);
            await(cells, BACK, i);
            if (i % BATCH == 0) {
                long now = System.nanoTime();
                nanos[i / BATCH - 1] = (now - begin) / (double) BATCH;
                begin = now;
            }
        }
        partner.join();
        return Rounds.of(nanos).median();
    }

    private static void await(AtomicLongArray cells, int index, long value) {
        while (cells.getAcquire(index) != value) {
            Thread.onSpinWait();
        }
    }
}
