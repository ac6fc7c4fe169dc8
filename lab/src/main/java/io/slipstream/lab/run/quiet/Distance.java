package io.slipstream.lab.run.quiet;

import io.slipstream.lab.Pinning;
import io.slipstream.lab.Sample;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How far apart the first two processors are at this moment. A hypervisor may move its virtual processors between the
 * cores of a host, so that what two threads exchange takes several times as long for a while; figures from either side
 * of such a move must not be compared as if nothing had happened.
 */
public final class Distance implements AutoCloseable {
    private static final int SLOT = 16;
    private static final int BATCHES = 5;
    private static final int TRIPS = 4_000;
    private static final int WARM_UPS = 3;
    private static final int TIMEOUT_SECONDS = 2;

    private final AtomicLongArray line = new AtomicLongArray(2 * SLOT);
    private final ExecutorService first = player();
    private final ExecutorService second = player();
    private boolean known;

    /** Starts two pinned threads; without permission to pin them every distance is unknown. */
    public Distance() throws InterruptedException {
        try {
            known = first.submit(() -> Pinning.currentThread(Pinning.cpu(0))).get()
                    && second.submit(() -> Pinning.currentThread(Pinning.cpu(1)))
                            .get();
        } catch (ExecutionException e) {
            known = false;
        }
        for (int i = 0; i < WARM_UPS; i++) {
            nanos();
        }
    }

    private static ExecutorService player() {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "distance");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** The median time of a round trip in a few milliseconds, or {@code NaN} when it is not known. */
    public double nanos() throws InterruptedException {
        if (!known) {
            return Double.NaN;
        }
        line.set(SLOT, 0);
        Future<double[]> ours = first.submit(() -> play(0));
        Future<double[]> theirs = second.submit(() -> play(1));
        try {
            theirs.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            return Sample.of(ours.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).median();
        } catch (ExecutionException | TimeoutException e) {
            close();
            return Double.NaN;
        }
    }

    /** Takes every other turn; the first batch brings both threads to the line and is not timed. */
    private double[] play(int member) {
        double[] nanos = new double[BATCHES];
        long turn = member;
        for (int batch = -1; batch < BATCHES; batch++) {
            long start = System.nanoTime();
            for (int i = 0; i < TRIPS; i++, turn += 2) {
                while (line.get(SLOT) != turn && !Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
                line.set(SLOT, turn + 1);
            }
            if (batch >= 0) {
                nanos[batch] = (double) (System.nanoTime() - start) / TRIPS;
            }
        }
        return nanos;
    }

    @Override
    public void close() {
        known = false;
        first.shutdownNow();
        second.shutdownNow();
    }
}
