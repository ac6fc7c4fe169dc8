package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.IntConsumer;

/** Counts what threads allocate. */
final class Allocations {
    /* What the JVM itself allocates now and then on the thread that is looked at. */
    static final long NOISE_BYTES = 2_000;

    private static final int ROUNDS = 50_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {}

    /** Returns the bytes that {@code thread} has allocated so far. */
    static long of(Thread thread) {
        return THREADS.getThreadAllocatedBytes(thread.threadId());
    }

    /** Runs so many rounds that they are compiled, and then as many in which this thread must not allocate. */
    static void none(IntConsumer round) {
        run(round);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        run(round);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(NOISE_BYTES);
    }

    private static void run(IntConsumer round) {
        for (int i = 0; i < ROUNDS; i++) {
            round.accept(i);
        }
    }
}
