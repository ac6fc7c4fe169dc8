package io.slipstream.core.thread;

import java.time.Duration;
import java.util.Objects;

/**
 * What a thread does while there is nothing to do: it spins, then yields, then sleeps for growing times, or parks until
 * it is woken.
 *
 * <p>A strategy is a value; each thread gets a {@link Waiter} of its own from it.
 *
 * @param spins         how many times it spins before it yields; {@link #FOREVER} for always
 * @param yields        how many times it yields before it sleeps; {@link #FOREVER} for always
 * @param minSleepNanos the first sleep in nanoseconds; each further one is twice as long
 * @param maxSleepNanos the longest sleep in nanoseconds
 * @param wakeable      whether publishers wake a sleeping thread; if not, it sees their work when its sleep is over
 */
public record WaitStrategy(int spins, int yields, long minSleepNanos, long maxSleepNanos, boolean wakeable) {
    /** A number of spins or yields that is never used up. */
    public static final int FOREVER = Integer.MAX_VALUE;

    /** The length of a sleep that nothing ends but a wake. */
    public static final long UNTIL_WOKEN_NANOS = Long.MAX_VALUE;

    private static final int SPINS = 50;
    private static final int YIELDS = 20;

    /** Checks the values. */
    public WaitStrategy {
        if (spins < 0 || yields < 0 || minSleepNanos <= 0 || maxSleepNanos < minSleepNanos) {
            throw new IllegalArgumentException("spins and yields must not be negative, and sleeps positive and "
                    + "growing: "
                    + spins + ", " + yields + ", " + minSleepNanos + ".." + maxSleepNanos + " ns");
        }
    }

    /** Spins for ever: the lowest latency, for a core of one's own. */
    public static WaitStrategy busySpin() {
        return new WaitStrategy(FOREVER, 0, 1_000, 1_000_000, false);
    }

    /** Spins a little, then yields for ever: for threads that share their core now and then. */
    public static WaitStrategy yielding() {
        return new WaitStrategy(100, FOREVER, 1_000, 1_000_000, false);
    }

    /** Spins, yields, then sleeps from 1 microsecond up to 1 millisecond; publishers pay nothing to wake it. */
    public static WaitStrategy backoff() {
        return new WaitStrategy(SPINS, YIELDS, 1_000, 1_000_000, false);
    }

    /**
     * Spins a little, then parks until a publisher wakes it: no use of the processor while idle. A duty that must also
     * look at the clock is given this with {@link #sleepingAtMost}.
     */
    public static WaitStrategy parking() {
        return new WaitStrategy(SPINS, 0, UNTIL_WOKEN_NANOS, UNTIL_WOKEN_NANOS, true);
    }

    /**
     * Parks until woken, but looks again after {@code timeout} at the latest: never asleep for longer than that. A time
     * of more than 292 years is none.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public static WaitStrategy blocking(Duration timeout) {
        if (!Objects.requireNonNull(timeout, "timeout").isPositive()) {
            throw new IllegalArgumentException("the time after which to look again must be positive, not " + timeout);
        }
        long nanos = Patience.nanos(timeout);
        return new WaitStrategy(0, 0, nanos, nanos, true);
    }

    /** Returns this strategy with no sleep longer than {@code nanos}. */
    public WaitStrategy sleepingAtMost(long nanos) {
        return new WaitStrategy(
                spins, yields, Math.min(minSleepNanos, nanos), Math.min(maxSleepNanos, nanos), wakeable);
    }

    /** Returns the sleep after one of {@code nanos}: twice as long, up to the longest. */
    public long longerSleepNanos(long nanos) {
        return nanos > maxSleepNanos / 2 ? maxSleepNanos : 2 * nanos;
    }

    /**
     * Returns the length of the sleep that {@code sleeps} others have gone before: doubled with each, up to the
     * longest.
     */
    long sleepNanos(long sleeps) {
        long nanos = minSleepNanos << Math.min(sleeps, 40);
        return nanos >> Math.min(sleeps, 40) == minSleepNanos ? Math.min(nanos, maxSleepNanos) : maxSleepNanos;
    }

    /** Returns a waiter for one thread, which sleeps on {@code signal}. */
    public Waiter newWaiter(Signal signal) {
        return new Waiter(this, signal);
    }
}
