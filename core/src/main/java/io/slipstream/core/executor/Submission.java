package io.slipstream.core.executor;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** How a submitter waits for a place: it spins, yields, then sleeps for growing times; workers need not know of it. */
final class Submission {
    private static final int SPINS = 100;
    private static final int YIELDS = 20;
    private static final long SHORTEST_SLEEP_NANOS = 1_000;
    private static final long LONGEST_SLEEP_NANOS = 100_000;

    private Submission() {
    }

    /** Repeats {@code attempt} until it succeeds (true), or the time is over or {@code inVain} says so (false). */
    static boolean await(BooleanSupplier attempt, BooleanSupplier inVain, Duration limit) throws InterruptedException {
        if (attempt.getAsBoolean()) {
            return true;
        }
        long limitNanos = nanos(limit);
        long start = System.nanoTime();
        long sleepNanos = SHORTEST_SLEEP_NANOS;
        int rounds = 0;
        while (!inVain.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            long remaining = limitNanos - (System.nanoTime() - start);
            if (remaining <= 0) {
                return false;
            }
            if (rounds < SPINS) {
                Thread.onSpinWait();
            } else if (rounds < SPINS + YIELDS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(Math.min(sleepNanos, remaining));
                sleepNanos = Math.min(2 * sleepNanos, LONGEST_SLEEP_NANOS);
            }
            rounds++;
            if (attempt.getAsBoolean()) {
                return true;
            }
        }
        return false;
    }

    private static long nanos(Duration limit) {
        try {
            return limit.toNanos();
        } catch (ArithmeticException e) {
            return limit.isNegative() ? 0 : Long.MAX_VALUE;
        }
    }
}
