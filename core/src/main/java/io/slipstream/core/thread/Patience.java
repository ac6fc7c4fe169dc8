package io.slipstream.core.thread;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The way through a {@link WaitStrategy} of calls that wait in the middle of their caller's own work, as a publisher
 * does for room, and own no {@link Waiter}. A virtual thread neither spins nor yields.
 *
 * <p>It holds no state of a call, which counts its own rounds; so it is shared by all threads.
 *
 * <pre>{@code
 * Sleepers.Place place = null;
 * try {
 *     for (int round = 0; ; round = Patience.next(round)) {
 *         place = patience.prepare(round);
 *         if (attempt()) {
 *             return;
 *         }
 *         patience.await(round, place, nanos);
 *     }
 * } finally {
 *     patience.end(place);
 * }
 * }</pre>
 */
public final class Patience {
    /** No limit to the time of a wait. */
    public static final long FOREVER_NANOS = Long.MAX_VALUE;

    private static final int SPINS_BEFORE_REST = 64;
    private static final Duration REST = Duration.ofNanos(10_000);

    private final WaitStrategy strategy;
    private final Sleepers sleepers;

    /** Creates the waiting of callers who may be woken through {@code sleepers}. */
    public Patience(WaitStrategy strategy, Sleepers sleepers) {
        this.strategy = strategy;
        this.sleepers = sleepers;
    }

    /** Returns whether a caller may sleep until it is woken, so that wakers must call its {@link Sleepers}. */
    public boolean isWakeable() {
        return strategy.wakeable();
    }

    /** Returns the number of the round after {@code round}. */
    public static int next(int round) {
        return Math.min(round + 1, WaitStrategy.FOREVER - 1);
    }

    /**
     * Waits a moment for a thread that is in the middle of a few instructions: spins, and from time to time lets others
     * have the core, since the one waited for may need it. That one may be a virtual thread without a carrier, and a
     * carrier that is only yielded may go from one waiting thread to the next and never to it; so a virtual thread
     * sleeps instead.
     *
     * <pre>{@code
     * for (int spins = 0; !attempt(); spins = Patience.pause(spins)) {
     * }
     * }</pre>
     *
     * @param spins 0, or what the last pause of the same wait has returned
     */
    public static int pause(int spins) {
        if (spins < SPINS_BEFORE_REST) {
            Thread.onSpinWait();
            return spins + 1;
        }
        if (Thread.currentThread().isVirtual()) {
            sleep();
        } else {
            Thread.yield();
        }
        return 0;
    }

    /**
     * Sleeps also if the thread is interrupted, and leaves it so: parking would return at once, and keep the carrier.
     */
    private static void sleep() {
        boolean interrupted = Thread.interrupted();
        try {
            Thread.sleep(REST);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Arms the sleepers if the wait of {@code round} is to be a sleep until woken; the caller then looks once more. */
    public Sleepers.@Nullable Place prepare(int round) {
        return strategy.wakeable() && sleepsBefore(round) >= 0 ? sleepers.arm() : null;
    }

    /** Withdraws {@link #prepare}, if the caller has not slept there already. */
    public void end(Sleepers.@Nullable Place place) {
        if (place != null) {
            place.disarm();
        }
    }

    /** Waits in round {@code round}, for at most {@code nanos}, at the place that {@link #prepare} has returned. */
    public void await(int round, Sleepers.@Nullable Place place, long nanos) {
        long sleeps = sleepsBefore(round);
        if (place != null) {
            place.sleep(Math.min(nanos, strategy.maxSleepNanos()));
        } else if (sleeps >= 0) {
            LockSupport.parkNanos(this, Math.min(nanos, strategy.sleepNanos(sleeps)));
        } else if (round < strategy.spins()) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    /** Returns how many sleeps there were before that of {@code round}; negative for a round that spins or yields. */
    private long sleepsBefore(int round) {
        return Thread.currentThread().isVirtual() ? round : round - (long) strategy.spins() - strategy.yields();
    }

    /** Returns a limit in nanoseconds; one of more than 292 years is none, and one before now is over at once. */
    public static long nanos(Duration limit) {
        try {
            return Math.max(0, limit.toNanos());
        } catch (ArithmeticException e) {
            return limit.isNegative() ? 0 : FOREVER_NANOS;
        }
    }

    /**
     * Returns {@code time}, or the longest time that nanoseconds can count if it is longer than that: 292 years, which
     * is for ever. A negative one is bounded alike.
     */
    public static Duration countable(Duration time) {
        Duration longest = Duration.ofNanos(FOREVER_NANOS);
        if (time.compareTo(longest) > 0) {
            return longest;
        }
        return time.compareTo(longest.negated()) < 0 ? longest.negated() : time;
    }

    /**
     * Repeats {@code attempt} until it succeeds.
     *
     * @param nanos at most so long; {@link #FOREVER_NANOS} for ever, and 0 or less for one attempt
     * @return whether it has succeeded; if not, the time is over
     * @throws InterruptedException if the thread was interrupted before an attempt has succeeded
     */
    public boolean await(BooleanSupplier attempt, long nanos) throws InterruptedException {
        // A limit far below 0 must not overflow.
        long most = Math.max(0, nanos);
        long begin = System.nanoTime();
        Sleepers.Place place = null;
        try {
            for (int round = 0; ; round = next(round)) {
                place = prepare(round);
                if (attempt.getAsBoolean()) {
                    return true;
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                long left = most == FOREVER_NANOS ? most : most - (System.nanoTime() - begin);
                if (left <= 0) {
                    return false;
                }
                await(round, place, left);
            }
        } finally {
            end(place);
        }
    }
}
