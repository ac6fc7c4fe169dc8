package io.slipstream.lab.jmh;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What the lab's B27 measures, as its users would write it with JMH. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(Roundings.VALUES)
public class Roundings {
    static final int VALUES = 4096;

    private final double[] values = new Random(27).doubles(VALUES, 0, 10_000).toArray();

    @Benchmark
    public double round() {
        double sum = 0;
        for (double value : values) {
            sum += Math.round(value * 100) / 100.0;
        }
        return sum;
    }

    @Benchmark
    public double bigDecimal() {
        double sum = 0;
        for (double value : values) {
            sum += new BigDecimal(value).setScale(2, RoundingMode.HALF_UP).doubleValue();
        }
        return sum;
    }
}
