package io.slipstream.lab;

import java.util.LinkedHashMap;
import java.util.Map;

/** What one round of a workload found. Used by one thread. */
public final class Round {
    private final Map<String, Double> values = new LinkedHashMap<>();

    public Round() {}

    /** Records a metric; its name ends in its unit, such as {@code "ns/op"}, {@code "read MB/s"}. */
    public void record(String metric, double value) {
        values.put(metric, value);
    }

    /** Records a metric at an x of its own, for a workload that walks through all x in one round; its case has no x. */
    public void record(String metric, Object x, double value) {
        record(metric + Findings.AT + x, value);
    }

    /** Records elapsed time per operation as {@code ns/op}. */
    public void nanosPerOp(long elapsedNanos, long operations) {
        record("ns/op", (double) elapsedNanos / operations);
    }

    /**
     * The proof that the work was done, and done right.
     *
     * @throws WrongResult when the figures differ; the case then has no finding at all
     */
    public void check(String what, long expected, long actual) {
        expect(what, expected, actual);
    }

    /** As {@link #check}, for a benchmark of JMH, which sees no round. */
    public static void expect(String what, long expected, long actual) {
        if (expected != actual) {
            throw new WrongResult(what + ": expected " + expected + " but was " + actual);
        }
    }

    /** As {@link #expect(String, long, long)}, for a figure that may be off by so much. */
    public static void expect(String what, double expected, double actual, double tolerance) {
        if (!(Math.abs(expected - actual) <= tolerance)) {
            throw new WrongResult(what + ": expected " + expected + " but was " + actual);
        }
    }

    public Map<String, Double> values() {
        return values;
    }

    /** A workload computed something wrong, so whatever time it took says nothing. */
    public static final class WrongResult extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        WrongResult(String message) {
            super(message);
        }
    }
}
