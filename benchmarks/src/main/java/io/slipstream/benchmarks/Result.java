package io.slipstream.benchmarks;

import org.jspecify.annotations.Nullable;

/** What came out of a comparison. */
record Result(String suite, Comparison comparison, Rounds ours, Rounds peer) {
    double ratio() {
        return ours.median() / peer.median();
    }

    @Nullable Target target() {
        Double ratio = comparison.target();
        return ratio == null ? null : new Target(ratio, comparison.unit().higherIsBetter());
    }

    /** Whether the target is met, or null where there is none. */
    @Nullable Boolean met() {
        Target target = target();
        return target == null ? null : target.isMetBy(ratio());
    }
}
