package io.slipstream.lab;

/** A figure, and the range in which it lies: the middle half of its rounds, or wider where there are doubts. */
public record Range(double low, double median, double high) {

    static Range of(Sample sample) {
        return new Range(sample.low(), sample.median(), sample.high());
    }

    /** The rule for "at least": the whole range must be on one side, or it cannot be told. */
    public Verdict atLeast(double limit, String what) {
        return Verdict.atLeast(limit, low, high, what + " " + words());
    }

    /** The rule for "at most", likewise. */
    public Verdict atMost(double limit, String what) {
        return Verdict.atMost(limit, low, high, what + " " + words());
    }

    /** How many times it is another figure, of another run: each may be anywhere in its range. */
    public Ratio over(Range other) {
        return new Ratio(low / other.high, median / other.median, high / other.low);
    }

    /** With a range that reaches so many times as far up and down; of what is not below zero. */
    Range widened(double factor) {
        return new Range(low / factor, median, high * factor);
    }

    private String words() {
        return Figure.show(median) + " (" + Figure.show(low) + " to " + Figure.show(high) + ")";
    }
}
