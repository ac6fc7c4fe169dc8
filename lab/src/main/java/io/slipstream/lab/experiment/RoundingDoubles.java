package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import io.slipstream.lab.tool.Rounding;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/** B27: rounding doubles to two places. */
final class RoundingDoubles implements Experiment {
    private static final int VALUES = 4096;

    @Override
    public Card card() {
        return Card.of("B27", "Rounding doubles", Group.DATA)
                .question("How long does it take to round a double to two places by a cast, by Math.round, by"
                        + " BigDecimal, and exactly without it?")
                .reported("By cast", "6 ns", "2011", "cast", "", "ns/op")
                .reported("Math.round", "17 ns", "2011", "Math.round", "", "ns/op")
                .reported("BigDecimal.setScale", "932 ns", "2011", "BigDecimal", "", "ns/op")
                .plot(Plot.bars("ns/op").log())
                .takes(Duration.ofSeconds(11), Duration.ofMinutes(2))
                .rule("Holds when BigDecimal takes at least 10 times as long as the cast, and Math.round at least as"
                        + " long as the cast (within 10 %).")
                .explanation("""
                        Scaling by a hundred, rounding to a whole number and dividing is a few instructions. It is
                        also wrong for some values in the middle, because the product is rounded before it is looked
                        at: 1.115 lies below the middle, its product with 100 above.

                        A fused multiply-add gives back what the product lost, and decides these cases exactly: the
                        fourth bar gives the same result as BigDecimal for every finite double, at a small part of its
                        cost. That is the rounding Slipstream offers.""");
    }

    @Override
    public void plan(Plan plan) {
        int passes = plan.count(1, 3_000, 50_000);
        plan.add("cast", () -> rounds(passes, value -> Rounding.byCast(value, 2), false));
        plan.add("Math.round", () -> rounds(passes, value -> Math.round(value * 100) / 100.0, false));
        plan.add("exact, by multiply-add", () -> rounds(passes, value -> Rounding.halfUp(value, 2), true));
        plan.add("BigDecimal", () -> rounds(Math.max(1, passes / 30), RoundingDoubles::byBigDecimal, true));
    }

    @Override
    public Verdict judge(Findings found) {
        return Verdict.all(
                found.ratio("ns/op", "BigDecimal", "cast").atLeast(10, "BigDecimal against cast:"),
                found.ratio("ns/op", "Math.round", "cast").atLeast(0.9, "Math.round against cast:"));
    }

    private static double byBigDecimal(double value) {
        return new BigDecimal(value).setScale(2, RoundingMode.HALF_UP).doubleValue();
    }

    private static Workload rounds(int passes, DoubleUnaryOperator way, boolean exact) {
        double[] values = new Random(27).doubles(VALUES, 0, 10_000).toArray();
        double expected = 0;
        for (double value : values) {
            expected += byBigDecimal(value);
        }
        double wanted = expected;
        return round -> {
            double sum = 0;
            long start = System.nanoTime();
            for (int pass = 0; pass < passes; pass++) {
                sum = 0;
                for (double value : values) {
                    sum += way.applyAsDouble(value);
                }
            }
            round.nanosPerOp(System.nanoTime() - start, (long) passes * VALUES);
            // The quick ways may be off by a cent now and then.
            round.check("sum", 0, Math.abs(sum - wanted) <= (exact ? 0 : 1) ? 0 : 1);
        };
    }
}
