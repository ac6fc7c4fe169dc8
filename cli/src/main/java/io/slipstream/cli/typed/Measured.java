package io.slipstream.cli.typed;

import io.slipstream.cli.load.Tally;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What came of one step of a load.
 *
 * @param rate        that was aimed at, in commands a second
 * @param beganMillis when it began, in milliseconds since 1970
 * @param seconds     for how long commands were offered
 * @param intervals   second by second; the last one has the answers that came when no more was offered
 * @param tally       of all of it
 * @param latencies   of all answers, in nanoseconds from when each command was due
 * @param late        answers that came when no more was offered
 * @param outstanding commands without answer some seconds after the end
 */
record Measured(
        double rate,
        long beganMillis,
        double seconds,
        List<Interval> intervals,
        Tally tally,
        Histogram latencies,
        long late,
        long outstanding) {
    /** A second of a step; {@code seconds} is its end, since the beginning of the step. */
    record Interval(double seconds, Tally tally, Histogram latencies) {}

    /** Returns the rate of the answers while commands were offered. */
    double answeredPerSecond() {
        return (tally.answered() - late) / seconds;
    }

    /** Returns whether the service was beyond its knee: it refused, fell behind, or answered late. */
    boolean isBeyondKnee(double mostLateMillis) {
        return tally.answered() + outstanding == 0
                || answeredPerSecond() < 0.95 * rate
                || latencies.getValueAtPercentile(99) > mostLateMillis * 1e6;
    }
}
