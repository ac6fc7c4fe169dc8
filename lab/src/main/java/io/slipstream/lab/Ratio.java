package io.slipstream.lab;

/** How many times {@code a} is {@code b}, and the range in which that lies. */
public record Ratio(double low, double median, double high) {
    /** Distances that differ by less are the same but for the noise of measuring them. */
    private static final double SAME_DISTANCE = 1.4;

    /** Of ratios that were measured as such: the range is their middle half. */
    public static Ratio of(Sample ratios) {
        return new Ratio(ratios.low(), ratios.median(), ratios.high());
    }

    /** Of samples from different runs: each side may be anywhere in its middle half. */
    public static Ratio of(Sample a, Sample b) {
        return Range.of(a).over(Range.of(b));
    }

    /**
     * Of two cases of one run, round by round: the forks of cases take turns, so a round of one is compared with the
     * round of the other that was run next to it, and a slow drift of the machine touches both sides. The range is the
     * middle half of these ratios.
     *
     * <p>The processors of a virtual machine may be far apart at one time and near at another. Where the two rounds of
     * a pair were run at different distances, the truth lies between the plain ratio and the one that is wholly
     * proportional to the distance; the range then takes in both.
     *
     * @param moved how much larger {@code a} should be for its distance alone, in each round; 1 where that is unknown
     */
    static Ratio byRound(Sample a, Sample b, double[] moved) {
        int rounds = moved.length;
        double[] least = new double[rounds];
        double[] plain = new double[rounds];
        double[] most = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            plain[i] = a.values().get(i) / b.values().get(i);
            boolean same = 1 / SAME_DISTANCE < moved[i] && moved[i] < SAME_DISTANCE;
            double proportional = same ? plain[i] : plain[i] / moved[i];
            least[i] = Math.min(plain[i], proportional);
            most[i] = Math.max(plain[i], proportional);
        }
        return new Ratio(
                Sample.of(least).low(),
                Sample.of(plain).median(),
                Sample.of(most).high());
    }

    /** The rule for "at least {@code factor} times": the whole range must be on one side, or it cannot be told. */
    public Verdict atLeast(double factor, String what) {
        return Verdict.atLeast(factor, low, high, what + " " + words());
    }

    /** The rule for "at most {@code factor} times", likewise. */
    public Verdict atMost(double factor, String what) {
        return Verdict.atMost(factor, low, high, what + " " + words());
    }

    /** The rule for "the same but for {@code part}", likewise: a wide range around one proves nothing. */
    public Verdict within(double part, String what) {
        return Verdict.ofRange(
                low,
                high,
                1 - part,
                1 + part,
                what + " " + words() + ", wanted between " + Figure.show(1 - part) + " and " + Figure.show(1 + part)
                        + ".");
    }

    /** With a range that reaches so many times as far up and down. */
    Ratio widened(double factor) {
        return new Ratio(low / factor, median, high * factor);
    }

    private String words() {
        return Figure.show(median) + " times (" + Figure.show(low) + " to " + Figure.show(high) + ")";
    }
}
