package io.slipstream.benchmarks.text;

import com.sun.management.ThreadMXBean;
import io.slipstream.benchmarks.suite.Contest;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/** Two ways to handle the same values, each of which returns a sum over all it did. In nanoseconds for a value. */
final class TextContest implements Contest {
    private static final long NOISE_BYTES = 100_000;

    private final LongSupplier ours;
    private final LongSupplier peer;
    private final int values;

    TextContest(LongSupplier ours, LongSupplier peer, int values) {
        this.ours = ours;
        this.peer = peer;
        this.values = values;
        long expected = peer.getAsLong();
        long actual = ours.getAsLong();
        if (actual != expected) {
            throw new IllegalStateException("ours comes to " + actual + ", the peer to " + expected);
        }
    }

    @Override
    public double ours() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        double nanos = time(ours);
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        if (bytes > NOISE_BYTES) {
            throw new IllegalStateException("ours allocated " + bytes + " bytes for " + values + " values");
        }
        return nanos;
    }

    @Override
    public double peer() {
        return time(peer);
    }

    private double time(LongSupplier side) {
        long begin = System.nanoTime();
        long sum = side.getAsLong();
        long nanos = System.nanoTime() - begin;
        if (sum == 42) {
            System.out.println("the sum is 42");
        }
        return (double) nanos / values;
    }
}
