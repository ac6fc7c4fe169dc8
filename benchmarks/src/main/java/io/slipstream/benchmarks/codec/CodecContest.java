package io.slipstream.benchmarks.codec;

import com.sun.management.ThreadMXBean;
import io.slipstream.benchmarks.suite.Contest;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/** Two ways to write or read the same values, in nanoseconds a value. */
final class CodecContest implements Contest {
    /** What a competitor does with a value. */
    enum Operation {
        WRITE,
        READ,
        READ_PRICE
    }

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Operation operation;
    private final Way ours;
    private final Way peer;
    private final int oursPasses;
    private final int peerPasses;
    private final int oursBytes;
    private final int peerBytes;
    private double garbage;
    private double oursGarbage;
    private double peerGarbage;

    /**
     * Writes all values in both ways and compares what is read.
     *
     * @param operation what is measured
     * @param peerPasses how often the peer goes over all values in a round; ours does it as often, or 500 times
     */
    CodecContest(Operation operation, Way ours, Way peer, int peerPasses) throws Exception {
        this.operation = operation;
        this.ours = ours;
        this.peer = peer;
        this.oursPasses = Math.max(peerPasses, 500);
        this.peerPasses = peerPasses;
        for (int i = 0; i < Way.COUNT; i++) {
            ours.write(i);
            peer.write(i);
            if (ours.read(i) != peer.read(i)) {
                throw new IllegalStateException("ours reads another value " + i + " than the peer: " + ours.read(i)
                        + " instead of " + peer.read(i));
            }
        }
        oursBytes = ours.write(1);
        peerBytes = peer.write(1);
    }

    @Override
    public double ours() throws Exception {
        double nanos = run(ours, oursPasses);
        oursGarbage = garbage;
        return nanos;
    }

    @Override
    public double peer() throws Exception {
        double nanos = run(peer, peerPasses);
        peerGarbage = garbage;
        return nanos;
    }

    private double run(Way way, int passes) throws Exception {
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        long start = System.nanoTime();
        long sum = switch (operation) {
            case WRITE -> write(way, passes);
            case READ -> read(way, passes);
            case READ_PRICE -> readPrice(way, passes);
        };
        long nanos = System.nanoTime() - start;
        bytes = THREADS.getCurrentThreadAllocatedBytes() - bytes;
        double values = (double) passes * Way.COUNT;
        long expected = switch (operation) {
                    case WRITE -> write(way, 1);
                    case READ -> read(way, 1);
                    case READ_PRICE -> readPrice(way, 1);
                }
                * passes;
        if (sum != expected) {
            throw new IllegalStateException("the sum is " + sum + " instead of " + expected);
        }
        garbage = bytes / values;
        return nanos / values;
    }

    /** Says what the times do not. */
    @Override
    public void close() {
        System.out.printf(
                Locale.ROOT,
                "  bytes: %d, the peer %d; garbage a value: %.0f, the peer %.0f%n",
                oursBytes,
                peerBytes,
                oursGarbage,
                peerGarbage);
    }

    private static long write(Way way, int passes) throws Exception {
        long sum = 0;
        for (int pass = 0; pass < passes; pass++) {
            for (int i = 0; i < Way.COUNT; i++) {
                sum += way.write(i);
            }
        }
        return sum;
    }

    private static long read(Way way, int passes) throws Exception {
        long sum = 0;
        for (int pass = 0; pass < passes; pass++) {
            for (int i = 0; i < Way.COUNT; i++) {
                sum += way.read(i);
            }
        }
        return sum;
    }

    private static long readPrice(Way way, int passes) {
        long sum = 0;
        for (int pass = 0; pass < passes; pass++) {
            for (int i = 0; i < Way.COUNT; i++) {
                sum += way.readPrice(i);
            }
        }
        return sum;
    }
}
