package io.slipstream.core.executor;

import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.Sleepers;
import io.slipstream.core.thread.WaitStrategy;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * How submitters wait for a place; workers need not know of it.
 *
 * <p>Each look at a full queue takes the cache line of the consumer's index away from the worker, and each spin may
 * take the core from the one who makes room. So where the workers have enough to do for a while, a submitter sleeps
 * almost at once, and long enough to find many places together: one that wakes for a few follows close behind the
 * workers, and fills the cache lines that they are just emptying. Where there are few places the workers would run dry
 * before it woke, and it spins and yields first.
 *
 * <p>Each sleep is twice as long as the one before, up to some milliseconds, so that many who wait for long use little
 * of the processors. The price is that a submitter notices a place late by up to the first sleep or the time it has
 * waited already, and by the longest sleep at most.
 */
final class Submission {
    /** From so many places on, the workers need longer to empty the queue than a thread needs to sleep and to wake. */
    private static final int MANY_PLACES = 1 << 14;

    /** Half of what a worker needs for the shortest tasks, so that it does not run dry in the first sleep. */
    private static final long FIRST_SLEEP_NANOS_PER_PLACE = 8;

    private static final long LONGEST_FIRST_SLEEP_NANOS = 500_000;
    private static final long LONGEST_SLEEP_NANOS = 4_000_000;
    private static final WaitStrategy SPINNING = new WaitStrategy(100, 20, 1_000, LONGEST_SLEEP_NANOS, false);

    private final Patience patience;

    /** Creates the waiting for one of {@code places} places. */
    Submission(int places) {
        this.patience = new Patience(places < MANY_PLACES ? SPINNING : sleeping(places), new Sleepers());
    }

    private static WaitStrategy sleeping(int places) {
        long first = Math.min(FIRST_SLEEP_NANOS_PER_PLACE * places, LONGEST_FIRST_SLEEP_NANOS);
        return new WaitStrategy(4, 0, first, LONGEST_SLEEP_NANOS, false);
    }

    /** Repeats {@code attempt} until it succeeds (true), or the time is over or {@code inVain} says so (false). */
    boolean await(BooleanSupplier attempt, BooleanSupplier inVain, Duration limit) throws InterruptedException {
        boolean[] accepted = {false};
        patience.await(() -> (accepted[0] = attempt.getAsBoolean()) || inVain.getAsBoolean(), Patience.nanos(limit));
        return accepted[0];
    }
}
