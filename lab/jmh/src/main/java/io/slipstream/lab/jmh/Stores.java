package io.slipstream.lab.jmh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What the lab's B31 measures, as its users would write it with JMH. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(Stores.SLOTS)
public class Stores {
    static final int SLOTS = 1024;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] slots = new long[SLOTS];
    private long from;

    @Benchmark
    public long plain() {
        long first = from++;
        long sum = 0;
        for (int i = 0; i < SLOTS; i++) {
            SLOT.set(slots, i, first + i);
            sum += (long) SLOT.getOpaque(slots, i ^ 1);
        }
        return sum;
    }

    @Benchmark
    public long release() {
        long first = from++;
        long sum = 0;
        for (int i = 0; i < SLOTS; i++) {
            SLOT.setRelease(slots, i, first + i);
            sum += (long) SLOT.getOpaque(slots, i ^ 1);
        }
        return sum;
    }

    @Benchmark
    public long sequential() {
        long first = from++;
        long sum = 0;
        for (int i = 0; i < SLOTS; i++) {
            SLOT.setVolatile(slots, i, first + i);
            sum += (long) SLOT.getOpaque(slots, i ^ 1);
        }
        return sum;
    }
}
