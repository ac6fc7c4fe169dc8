package io.slipstream.benchmarks.suite;

import java.util.List;

/** Comparisons about one part of the toolkit. */
public interface Suite {
    /** The name by which it is run. */
    String name();

    /**
     * The comparisons, in the order in which they run.
     *
     * @param quick whether to measure less, so that the whole suite takes some minutes
     */
    List<Comparison> comparisons(boolean quick);

    /** Options which the peers need to run on this JDK; what is ours needs none. */
    default List<String> jvmOptions() {
        return List.of();
    }
}
