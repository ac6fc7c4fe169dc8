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

/**
 * What the lab's B31 measures, as its users would write it with JMH. The array is read into a local variable, because
 * the ordered accesses keep a compiler from reading the field once for the whole loop.
 */
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
        long[] local = slots;
        long first = from++;
        long sum = 0;
        for (int i = 0; i < SLOTS; i++) {
            SLOT.set(local, i, first + i);
            sum += (long) SLOT.getOpaque(local, i ^ 1);
        }
        return sum;
    }

    @Benchmark
    public long release() {
        long[] local = slots;
        long first = from++;
        long sum = 0;
        for (int i = 0; i < SLOTS; i++) {
            SLOT.setRelease(local, i, first + i);
            sum += (long) SLOT.getOpaque(local, i ^ 1);
        }
        return sum;
    }

    @Benchmark
    public long sequential() {
        long[] local = slots;
        long first = from++;
        long sum = 0;
        for (int i = 0; i < SLOTS; i++) {
            SLOT.setVolatile(local, i, first + i);
            sum += (long) SLOT.getOpaque(local, i ^ 1);
        }
        return sum;
    }
}
