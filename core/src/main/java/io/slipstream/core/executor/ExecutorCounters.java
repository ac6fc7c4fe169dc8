package io.slipstream.core.executor;

import io.slipstream.core.counters.Counter;
import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.thread.Duty;

import java.time.Duration;

/**
 * A duty that copies what an executor says of itself to counters now and then, where other processes can watch it. It costs the
 * executor nothing.
 */
public final class ExecutorCounters implements Duty {
    private final LockFreeExecutor executor;
    private final long intervalNanos;
    private final Counter depth;
    private final Counter timers;
    private final Counter completed;
    private final Counter failed;
    private final Counter rejected;
    private final Counter meanWait;
    private final Counter longestWait;
    private final Counter meanRun;
    private final Counter longestRun;
    private long nextNanos = System.nanoTime();

    /**
     * Adds the counters of {@code executor}.
     *
     * @param owner    the name under which they are shown
     * @param interval between two copies
     */
    public ExecutorCounters(LockFreeExecutor executor, Counters counters, String owner, Duration interval) {
        this.executor = executor;
        this.intervalNanos = interval.toNanos();
        counters.add(CounterType.CAPACITY, owner, "capacity").setRelease(executor.stats().capacity());
        this.depth = counters.add(CounterType.DEPTH, owner, "depth");
        this.timers = counters.add(CounterType.COUNT, owner, "timers");
        this.completed = counters.add(CounterType.COUNT, owner, "completed");
        this.failed = counters.add(CounterType.COUNT, owner, "failed");
        this.rejected = counters.add(CounterType.REFUSED, owner, "rejected");
        this.meanWait = counters.add(CounterType.DURATION_NANOS, owner, "mean wait of a task");
        this.longestWait = counters.add(CounterType.DURATION_NANOS, owner, "longest wait of a task");
        this.meanRun = counters.add(CounterType.DURATION_NANOS, owner, "mean run of a task");
        this.longestRun = counters.add(CounterType.DURATION_NANOS, owner, "longest run of a task");
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
        ExecutorStats stats = executor.stats();
        depth.setRelease(stats.depth());
        timers.setRelease(stats.timers());
        completed.setRelease(stats.completed());
        failed.setRelease(stats.failed());
        rejected.setRelease(stats.rejected());
        meanWait.setRelease(stats.latency().meanWaitNanos());
        longestWait.setRelease(stats.latency().longestWaitNanos());
        meanRun.setRelease(stats.latency().meanRunNanos());
        longestRun.setRelease(stats.latency().longestRunNanos());
    }
}
