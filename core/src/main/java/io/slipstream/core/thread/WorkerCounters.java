package io.slipstream.core.thread;

import io.slipstream.core.counters.Counter;
import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;

import java.time.Duration;

/**
 * A duty that copies what a worker says of itself to counters now and then: rounds, time spent in them, the longest stall, failures. It may be
 * one of the worker's own duties or of another one.
 */
public final class WorkerCounters implements Duty {
    private final Worker worker;
    private final long intervalNanos;
    private final Counter rounds;
    private final Counter busy;
    private final Counter longest;
    private final Counter failures;
    private long nextNanos = System.nanoTime();

    /**
     * Adds the counters of {@code worker}.
     *
     * @param owner    the name under which they are shown
     * @param interval between two copies
     */
    public WorkerCounters(Worker worker, Counters counters, String owner, Duration interval) {
        this.worker = worker;
        this.intervalNanos = interval.toNanos();
        this.rounds = counters.add(CounterType.COUNT, owner, "rounds with work");
        this.busy = counters.add(CounterType.DURATION_NANOS, owner, "time in them");
        this.longest = counters.add(CounterType.DURATION_NANOS, owner, "longest stall");
        this.failures = counters.add(CounterType.COUNT, owner, "failures");
        copy();
    }

    @Override
    public int work() {
        if (System.nanoTime() - nextNanos < 0) {
            return 0;
        }
        nextNanos = System.nanoTime() + intervalNanos;
        copy();
        return 1;
    }

    @Override
    public void onStop() {
        copy();
    }

    private void copy() {
        DutyStats stats = worker.stats();
        rounds.setRelease(stats.rounds());
        busy.setRelease(stats.busyNanos());
        longest.setRelease(stats.longestRoundNanos());
        failures.setRelease(stats.failures());
    }
}
