package io.slipstream.lab;

/**
 * How many times {@code a} is {@code b}: the ratio of the medians, and the range in which it lies when each side may be
 * anywhere in its middle half.
 */
public record Ratio(double low, double median, double high) {

    public static Ratio of(Sample a, Sample b) {
        return new Ratio(a.low() / b.high(), a.median() / b.median(), a.high() / b.low());
    }

    /** The rule for "at least {@code factor} times": the whole range must be on one side, or it cannot be told. */
    public Verdict atLeast(double factor, String what) {
        String reason = what + " " + words() + ", wanted at least " + Figure.show(factor) + ".";
        if (low >= factor) {
            return Verdict.holds(reason);
        }
        return high < factor
                ? Verdict.doesNotHold(reason)
                : Verdict.cannotTell(reason + " The spread lies across the line.");
    }

    /** The rule for "at most {@code factor} times", likewise. */
    public Verdict atMost(double factor, String what) {
        String reason = what + " " + words() + ", wanted at most " + Figure.show(factor) + ".";
        if (high <= factor) {
            return Verdict.holds(reason);
        }
        return low > factor
                ? Verdict.doesNotHold(reason)
                : Verdict.cannotTell(reason + " The spread lies across the line.");
    }

    /** The rule for "the same but for {@code part}": the medians decide, unless they differ within a spread. */
    public Verdict medianWithin(double part, String what) {
        String reason = what + " " + words() + ", wanted between " + Figure.show(1 - part) + " and "
                + Figure.show(1 + part) + ".";
        if (Math.abs(median - 1) <= part) {
            return Verdict.holds(reason);
        }
        return high < 1 - part || low > 1 + part
                ? Verdict.doesNotHold(reason)
                : Verdict.cannotTell(reason + " The spread lies across the line.");
    }

    private String words() {
        return Figure.show(median) + " times (" + Figure.show(low) + " to " + Figure.show(high) + ")";
    }
}
