package io.slipstream.core.executor;

import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.Sleepers;
import io.slipstream.core.thread.WaitStrategy;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** How a submitter waits for a place: it spins, yields, then sleeps for growing times; workers need not know of it. */
final class Submission {
    private static final Patience PATIENCE = new Patience(new WaitStrategy(100, 20, 1_000, 100_000, false), new Sleepers());

    private Submission() {
    }

    /** Repeats {@code attempt} until it succeeds (true), or the time is over or {@code inVain} says so (false). */
    static boolean await(BooleanSupplier attempt, BooleanSupplier inVain, Duration limit) throws InterruptedException {
        boolean[] accepted = {false};
        PATIENCE.await(() -> (accepted[0] = attempt.getAsBoolean()) || inVain.getAsBoolean(), Patience.nanos(limit));
        return accepted[0];
    }
}
