package io.slipstream.lab.run.quiet;

import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * A thread that has nothing to do but nap for a millisecond and see how late it is woken: what it suffers, the measured
 * threads suffer too (Gil Tene's jHiccup).
 */
public final class Hiccups implements AutoCloseable {
    private static final long NAP_NANOS = 1_000_000;
    private static final long FIRST_STEP_NANOS = 10_000_000;

    private final ConcurrentHistogram lateNanos = new ConcurrentHistogram(3);
    private final Trace.Recorder trace = new Trace.Recorder(FIRST_STEP_NANOS);
    private final Thread thread = new Thread(this::nap, "hiccups");
    private volatile boolean running = true;

    public Hiccups() {
        thread.setDaemon(true);
        thread.start();
    }

    private void nap() {
        long begin = System.nanoTime();
        while (running) {
            long start = System.nanoTime();
            LockSupport.parkNanos(NAP_NANOS);
            long end = System.nanoTime();
            long late = Math.max(0, end - start - NAP_NANOS);
            lateNanos.recordValueWithExpectedInterval(late, NAP_NANOS);
            trace.add(end - begin, late);
        }
    }

    public double micros(double percentile) {
        return lateNanos.getValueAtPercentile(percentile) / 1e3;
    }

    public Trace trace() {
        return trace.trace();
    }

    @Override
    public void close() {
        running = false;
        LockSupport.unpark(thread);
    }
}
