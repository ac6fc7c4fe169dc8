package io.slipstream.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The figures of one competitor, one for each round, in the order in which they ran. */
record Rounds(List<Double> figures) {
    Rounds {
        figures = List.copyOf(figures);
        if (figures.isEmpty()) {
            throw new IllegalArgumentException("no round was run");
        }
    }

    double median() {
        List<Double> sorted = new ArrayList<>(figures);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** The distance from the least to the greatest figure, as a part of the median. */
    double spread() {
        return (Collections.max(figures) - Collections.min(figures)) / median();
    }
}
