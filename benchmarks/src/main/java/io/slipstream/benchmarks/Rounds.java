package io.slipstream.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
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

    static Rounds of(double... figures) {
        return new Rounds(Arrays.stream(figures).boxed().toList());
    }

    /** The figures divided by those of {@code others} in the same rounds. */
    Rounds dividedBy(Rounds others) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < figures.size(); i++) {
            ratios.add(figures.get(i) / others.figures.get(i));
        }
        return new Rounds(ratios);
    }

    double least() {
        return Collections.min(figures);
    }

    double greatest() {
        return Collections.max(figures);
    }

    double median() {
        List<Double> sorted = new ArrayList<>(figures);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** The distance from the least to the greatest figure, as a part of the median. */
    double spread() {
        return (greatest() - least()) / median();
    }
}
