package io.slipstream.cli.typed;

import io.slipstream.cli.load.Tally;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What came of one step of a load.
 *
 * @param rate        that was aimed at, in commands a second
 * @param beganMillis when it began, in milliseconds since 1970
 * @param seconds     that it took
 * @param intervals   second by second
 * @param tally       of all of it
 * @param latencies   of all answers, in nanoseconds from when each command was due
 * @param outstanding commands without answer some seconds after the end
 */
record Measured(
        double rate,
        long beganMillis,
        double seconds,
        List<Interval> intervals,
        Tally tally,
        Histogram latencies,
        long outstanding) {
    /** A second of a step; {@code seconds} is its end, since the beginning of the step. */
    record Interval(double seconds, Tally tally, Histogram latencies) {}

    double answeredPerSecond() {
        return tally.answered() / seconds;
    }

    /** Returns whether the service was beyond its knee: it refused, fell behind, or answered late. */
    boolean isBeyondKnee(double mostLateMillis) {
        return tally.answered() + outstanding == 0
                || answeredPerSecond() < 0.95 * rate
                || latencies.getValueAtPercentile(99) > mostLateMillis * 1e6;
    }
}
