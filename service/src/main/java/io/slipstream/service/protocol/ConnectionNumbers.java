package io.slipstream.service.protocol;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The numbers that a client gives its connections in {@link Hello}, so that the service can tell an earlier one from a
 * later one when they reach it in another order: behind a pause it finds both in its sockets.
 *
 * <pre>
 *   63 ............ 24   23 ........ 0
 *   who counts, random   grows by one
 * </pre>
 *
 * <p>Numbers of one who counts are compared; of two who know the same key, the one that comes last is the later one. 0
 * is no number: a client that does not count. Any thread.
 */
public final class ConnectionNumbers {
    private static final int COUNT_BITS = 24;
    private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

    private final LongSupplier random;
    private final AtomicLong last;

    /**
     * Begins to count.
     *
     * @param random gives random numbers; called once, and again after 16 million connections
     */
    public ConnectionNumbers(LongSupplier random) {
        this.random = random;
        this.last = new AtomicLong(newcomer());
    }

    /** Returns the number of the next connection. */
    public long next() {
        return last.updateAndGet(number -> (number & COUNT_MASK) == COUNT_MASK ? newcomer() + 1 : number + 1);
    }

    /** Returns whether the connection {@code other} is an earlier one of the same client than {@code number}. */
    public static boolean isEarlier(long other, long number) {
        return other != 0 && other >>> COUNT_BITS == number >>> COUNT_BITS && other < number;
    }

    private long newcomer() {
        return random.getAsLong() & ~COUNT_MASK;
    }
}
