package io.slipstream.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Counts the bytes that threads allocate. One measurement after a fixed warm-up depends on when the compiler gets its
 * turn, so the least of several rounds counts: a steady state that allocates does so in each of them.
 *
 * <p>The test needs {@code --add-modules jdk.management}.
 */
public final class Allocations {
    /** What the JVM itself allocates now and then on the thread that is looked at. */
    public static final long NOISE_BYTES = 2_000;

    private static final int LEAST_ROUNDS = 30;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {}

    /** A round of what is measured. */
    @FunctionalInterface
    public interface Round {
        void run() throws Exception;
    }

    /** One of the many calls of a round, which are numbered from 0. */
    @FunctionalInterface
    public interface Call {
        void run(int number) throws Exception;
    }

    /** Returns the bytes that {@code thread} has allocated so far. */
    public static long of(Thread thread) {
        return THREADS.getThreadAllocatedBytes(thread.threadId());
    }

    /**
     * Runs rounds until this thread allocates at most {@code enough} bytes in one, and returns the least. It gives up
     * after 30 rounds, and after {@link Await#PATIENCE}: on a busy machine the compiler comes late.
     */
    public static long least(long enough, Round round) throws Exception {
        return least(enough, round, Thread.currentThread());
    }

    /** As {@link #least(long, Round)}, of what {@code threads} allocate together while this thread runs a round. */
    public static long least(long enough, Round round, Thread... threads) throws Exception {
        return least(Await.PATIENCE, enough, round, threads);
    }

    /**
     * Returns when this thread has allocated nothing but noise in a round.
     *
     * @throws AssertionError if it never does
     */
    public static void none(Round round) throws Exception {
        none(Await.PATIENCE, round);
    }

    /**
     * Returns when this thread has allocated nothing but noise in a round of {@code calls} calls.
     *
     * @throws AssertionError if it never does
     */
    public static void none(int calls, Call call) throws Exception {
        none(() -> {
            for (int i = 0; i < calls; i++) {
                call.run(i);
            }
        });
    }

    static void none(Duration patience, Round round) throws Exception {
        long least = least(patience, NOISE_BYTES, round, Thread.currentThread());
        if (least > NOISE_BYTES) {
            throw new AssertionError("a round allocates " + least + " bytes at least");
        }
    }

    private static long least(Duration patience, long enough, Round round, Thread... threads) throws Exception {
        long begin = System.nanoTime();
        long least = Long.MAX_VALUE;
        for (int i = 0; least > enough && (i < LEAST_ROUNDS || System.nanoTime() - begin < patience.toNanos()); i++) {
            long before = sum(threads);
            round.run();
            least = Math.min(least, sum(threads) - before);
        }
        return least;
    }

    private static long sum(Thread... threads) {
        long bytes = 0;
        for (Thread thread : threads) {
            bytes += of(thread);
        }
        return bytes;
    }
}
