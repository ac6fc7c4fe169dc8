package io.slipstream.benchmarks;

import io.slipstream.benchmarks.suite.Comparison;
import org.jspecify.annotations.Nullable;

/**
 * What came out of a comparison.
 *
 * @param trips the {@link CpuRoundTrip} before each round, in nanoseconds
 */
record Result(String suite, Comparison comparison, Rounds ours, Rounds peer, Rounds trips) {
    /**
     * Ours divided by the peer's, round by round, and of that the median: the two of a round ran right after each
     * other, so that a machine which is faster in some rounds than in others does not decide.
     */
    double ratio() {
        return ours.dividedBy(peer).median();
    }

    @Nullable
    Target target() {
        Double ratio = comparison.target();
        return ratio == null ? null : new Target(ratio, comparison.unit().higherIsBetter());
    }

    /** Whether the target is met, or null where there is none. */
    @Nullable
    Boolean met() {
        Target target = target();
        return target == null ? null : target.isMetBy(ratio());
    }
}
