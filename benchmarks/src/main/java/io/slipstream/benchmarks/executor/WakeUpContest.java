package io.slipstream.benchmarks.executor;

import io.slipstream.benchmarks.suite.Contest;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.LockSupport;

/** One task at a time to a worker that has had time to fall asleep: from the call of {@code execute} to the run. */
final class WakeUpContest implements Contest {
    private static final int TASKS = 2_000;
    private static final long PAUSE_NANOS = 150_000;

    private final ExecutorService ours;
    private final ExecutorService peer;
    private volatile long begun;

    WakeUpContest(ExecutorService ours, ExecutorService peer) {
        this.ours = ours;
        this.peer = peer;
    }

    @Override
    public double ours() {
        return run(ours);
    }

    @Override
    public double peer() {
        return run(peer);
    }

    /** Returns the median in microseconds. */
    private double run(ExecutorService executor) {
        long[] nanos = new long[TASKS];
        Runnable task = () -> begun = System.nanoTime();
        for (int i = 0; i < TASKS; i++) {
            LockSupport.parkNanos(PAUSE_NANOS);
            begun = 0;
            long submitted = System.nanoTime();
            executor.execute(task);
            while (begun == 0) {
                Thread.onSpinWait();
            }
            nanos[i] = begun - submitted;
        }
        Arrays.sort(nanos);
        return nanos[TASKS / 2] / 1_000.0;
    }

    @Override
    public void close() {
        ours.close();
        peer.close();
    }
}
