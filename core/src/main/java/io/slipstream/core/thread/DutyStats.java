package io.slipstream.core.thread;

import org.jspecify.annotations.Nullable;

/**
 * What a cycle of duties has done, at about one moment.
 *
 * @param rounds            rounds in which there was something to do
 * @param busyNanos         time spent in them
 * @param longestRoundNanos the longest round, also of those that found nothing: how long everything else on this thread
 *                          had to wait, whether a duty was slow or the system had taken the processor away. While the
 *                          thread does nothing but spin, it is the time from one look at the clock to the next; what
 *                          passes between the last one and a sleep is not seen
 * @param failures          how often a duty has thrown
 * @param lastFailure       what was thrown last
 */
public record DutyStats(
        long rounds,
        long busyNanos,
        long longestRoundNanos,
        long failures,
        @Nullable Throwable lastFailure) {}
