package io.slipstream.core.thread;

import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import java.time.Duration;

/**
 * Shows what a worker says of itself: rounds, time spent in them, the longest stall, failures. May be one of its own
 * duties.
 */
public final class WorkerCounters extends SampledCounters<DutyStats> {
    /**
     * Adds the counters of {@code worker}.
     *
     * @param owner    the name under which they are shown
     * @param interval between two copies
     * @throws IllegalStateException    if there are not enough places for them
     * @throws IllegalArgumentException if the interval is not positive
     */
    public WorkerCounters(Worker worker, Counters counters, String owner, Duration interval) {
        super(worker::stats, counters, owner, interval);
        add(CounterType.COUNT, "rounds with work", DutyStats::rounds);
        add(CounterType.SPENT_NANOS, "time in them", DutyStats::busyNanos);
        add(CounterType.DURATION_NANOS, "longest stall", DutyStats::longestRoundNanos);
        add(CounterType.COUNT, "failures", DutyStats::failures);
        copy();
    }
}
