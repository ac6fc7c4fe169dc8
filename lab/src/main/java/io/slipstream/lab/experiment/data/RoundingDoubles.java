package io.slipstream.lab.experiment.data;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.tool.Rounding;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** B27: rounding doubles to two places. */
public final class RoundingDoubles implements Experiment {
    private static final int VALUES = 4096;

    @Override
    public Card card() {
        return Card.of("B27", "Rounding doubles", Group.DATA)
                .question("How long does it take to round a double to two places by a cast, by Math.round, by"
                        + " BigDecimal, and exactly without it?")
                .reported("By cast", "6 ns", "August 2011", "cast", "", "ns/op")
                .reported("Math.round", "17 ns", "August 2011", "Math.round", "", "ns/op")
                .reported("BigDecimal.setScale", "932 ns", "August 2011", "BigDecimal", "", "ns/op")
                .plot(Plot.bars("ns/op").log())
                .leavesToFull("rounding exactly by multiply-add")
                .takes(Duration.ofSeconds(13), Duration.ofMinutes(4))
                .rule("Holds when BigDecimal takes at least 10 times as long as the cast, and Math.round at least"
                        + " 1.4 times (reported: 2.8).")
                .explanation("""
                    Scaling by a hundred, rounding to a whole number and dividing is a few instructions. It is
                    also wrong for some values in the middle, because the product is rounded before it is looked
                    at: 1.115 lies below the middle, its product with 100 above.

                    A fused multiply-add gives back what the product lost, and decides these cases exactly: the
                    fourth bar gives the same result as BigDecimal for every finite double, at a small part of its
                    cost. That is the rounding Slipstream offers.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        plan.addBenchmark("cast", Ways.class, "cast");
        plan.addBenchmark("Math.round", Ways.class, "round");
        plan.addBenchmark("BigDecimal", Ways.class, "bigDecimal");
        if (plan.isComplete()) {
            plan.addBenchmark("exact, by multiply-add", Ways.class, "exact");
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("ns/op", "BigDecimal", "cast").atLeast(10, "BigDecimal against cast:"),
                () -> found.ratio("ns/op", "Math.round", "cast").atLeast(1.4, "Math.round against cast:"));
    }

    /** Each way over the same values. */
    @State(Scope.Thread)
    @OperationsPerInvocation(VALUES)
    public static class Ways {
        private final double[] values =
                new Random(27).doubles(VALUES, 0, 10_000).toArray();

        @Setup
        public void check() {
            for (double value : values) {
                double wanted = byBigDecimal(value);
                Round.expect("exact, of " + value, wanted, Rounding.halfUp(value, 2), 0);
                // The quick ways may be off by a cent now and then.
                Round.expect("by cast, of " + value, wanted, Rounding.byCast(value, 2), 0.011);
                Round.expect("by Math.round, of " + value, wanted, byRound(value), 0.011);
            }
        }

        @Benchmark
        public void cast(Blackhole sink) {
            for (double value : values) {
                sink.consume(Rounding.byCast(value, 2));
            }
        }

        @Benchmark
        public void round(Blackhole sink) {
            for (double value : values) {
                sink.consume(byRound(value));
            }
        }

        @Benchmark
        public void exact(Blackhole sink) {
            for (double value : values) {
                sink.consume(Rounding.halfUp(value, 2));
            }
        }

        @Benchmark
        public void bigDecimal(Blackhole sink) {
            for (double value : values) {
                sink.consume(byBigDecimal(value));
            }
        }

        private static double byRound(double value) {
            return Math.round(value * 100) / 100.0;
        }

        private static double byBigDecimal(double value) {
            return new BigDecimal(value).setScale(2, RoundingMode.HALF_UP).doubleValue();
        }
    }
}
