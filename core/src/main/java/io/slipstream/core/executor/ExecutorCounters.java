package io.slipstream.core.executor;

import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.thread.SampledCounters;
import java.time.Duration;

/** Shows what an executor says of itself: places, tasks, timers, and how long its tasks wait and run. */
public final class ExecutorCounters extends SampledCounters<ExecutorStats> {
    /**
     * Adds the counters of {@code executor}.
     *
     * @param owner    the name under which they are shown
     * @param interval between two copies
     * @throws IllegalStateException if there are not enough places for them
     */
    public ExecutorCounters(LockFreeExecutor executor, Counters counters, String owner, Duration interval) {
        super(executor::stats, counters, owner, interval);
        add(CounterType.CAPACITY, "capacity", ExecutorStats::capacity);
        add(CounterType.DEPTH, "depth", ExecutorStats::depth);
        add(CounterType.CAPACITY, "capacity of keys", ExecutorStats::keyedCapacity);
        add(CounterType.DEPTH, "depth of keys", ExecutorStats::keyedDepth);
        add(CounterType.CAPACITY, "capacity of timers", ExecutorStats::timerCapacity);
        add(CounterType.DEPTH, "timers", ExecutorStats::timers);
        add(CounterType.LEVEL, "due timers", ExecutorStats::dueTimers);
        add(CounterType.COUNT, "completed", ExecutorStats::completed);
        add(CounterType.COUNT, "failed", ExecutorStats::failed);
        add(CounterType.REFUSED, "rejected", ExecutorStats::rejected);
        add(
                CounterType.DURATION_NANOS,
                "mean wait of a task",
                stats -> stats.latency().meanWaitNanos());
        add(
                CounterType.DURATION_NANOS,
                "longest wait of a task",
                stats -> stats.latency().longestWaitNanos());
        add(
                CounterType.DURATION_NANOS,
                "mean run of a task",
                stats -> stats.latency().meanRunNanos());
        add(
                CounterType.DURATION_NANOS,
                "longest run of a task",
                stats -> stats.latency().longestRunNanos());
        copy();
    }
}
