package io.slipstream.lab;

import java.util.Arrays;
import java.util.List;

/** The values of one metric over all rounds, and their order statistics. */
public final class Sample {
    private final List<Double> rounds;
    private final double[] sorted;

    public Sample(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("a sample needs at least one value");
        }
        rounds = List.copyOf(values);
        sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    public static Sample of(double... values) {
        return new Sample(Arrays.stream(values).boxed().toList());
    }

    public int size() {
        return sorted.length;
    }

    public double min() {
        return sorted[0];
    }

    public double max() {
        return sorted[sorted.length - 1];
    }

    public double median() {
        return quantile(0.5);
    }

    /** The lower end of the middle half. */
    public double low() {
        return quantile(0.25);
    }

    /** The upper end of the middle half. */
    public double high() {
        return quantile(0.75);
    }

    public double mean() {
        return Arrays.stream(sorted).average().orElseThrow();
    }

    public double standardDeviation() {
        double mean = mean();
        double squares = Arrays.stream(sorted).map(v -> (v - mean) * (v - mean)).sum();
        return sorted.length < 2 ? 0 : Math.sqrt(squares / (sorted.length - 1));
    }

    /** The width of the middle half as a part of the median: how far a round is to be trusted. */
    public double spread() {
        return median() == 0 ? 0 : (high() - low()) / Math.abs(median());
    }

    /** Linear interpolation between the order statistics (type 7 of Hyndman and Fan, 1996). */
    public double quantile(double q) {
        double position = q * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    /** The values in the order of the rounds. */
    public List<Double> values() {
        return rounds;
    }
}
