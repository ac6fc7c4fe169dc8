package io.slipstream.core.executor;

/**
 * What an executor has done and has before it, at about one moment.
 *
 * @param workers       threads that live
 * @param active        those of them that run a task, or did until a moment ago
 * @param capacity      places for waiting tasks without a key
 * @param depth         tasks that wait there
 * @param keyedCapacity places for waiting tasks of all keys together
 * @param keyedDepth    tasks that wait there
 * @param timerCapacity how many delayed and periodic tasks there may be
 * @param timers        delayed and periodic tasks that are neither done nor cancelled
 * @param dueTimers     those of them that are due and were handed to the workers
 * @param completed     tasks that were run, also those that threw
 * @param failed        tasks that threw; what a {@code Future} keeps is not among them
 * @param rejected      tasks that the policy was asked about
 * @param latency       of a sample of the tasks
 */
public record ExecutorStats(
        int workers,
        int active,
        int capacity,
        int depth,
        int keyedCapacity,
        int keyedDepth,
        int timerCapacity,
        int timers,
        int dueTimers,
        long completed,
        long failed,
        long rejected,
        Latency latency) {
    /**
     * How long sampled tasks waited for a worker, and ran.
     *
     * @param samples          how many tasks were measured: each one while the workers have long pauses, about one in a
     *                         thousand under load
     * @param meanWaitNanos    mean time from submission, or for a delayed task from when it was handed to the workers,
     *                         to the run
     * @param longestWaitNanos longest such time
     * @param meanRunNanos     mean time of the run
     * @param longestRunNanos  longest such time
     */
    public record Latency(
            long samples, long meanWaitNanos, long longestWaitNanos, long meanRunNanos, long longestRunNanos) {}
}
