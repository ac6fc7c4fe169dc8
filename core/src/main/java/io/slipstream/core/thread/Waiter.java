package io.slipstream.core.thread;

import java.util.concurrent.locks.LockSupport;

/**
 * Carries a {@link WaitStrategy} out for one thread, which calls {@link #idle} after each round of its loop.
 *
 * <p>Before it sleeps on the signal it returns once with its signal armed, so that the loop itself is the second look for work.
 */
public final class Waiter {
    private final WaitStrategy strategy;
    private final Signal signal;
    private int idleRounds;
    private long sleepNanos;
    private boolean armed;

    Waiter(WaitStrategy strategy, Signal signal) {
        this.strategy = strategy;
        this.signal = signal;
        this.sleepNanos = strategy.minSleepNanos();
    }

    /** Waits if {@code workCount}, what the last round has done, is 0; otherwise begins anew. */
    public void idle(int workCount) {
        if (workCount > 0) {
            reset();
        } else if (idleRounds < strategy.spins()) {
            countIdleRound();
            Thread.onSpinWait();
        } else if (idleRounds - strategy.spins() < strategy.yields()) {
            countIdleRound();
            Thread.yield();
        } else if (!strategy.wakeable()) {
            LockSupport.parkNanos(signal, sleepNanos);
            lengthenSleep();
        } else if (armed) {
            armed = false;
            signal.sleep(sleepNanos);
            lengthenSleep();
        } else {
            armed = true;
            signal.arm();
        }
    }

    private void lengthenSleep() {
        sleepNanos = Math.min(2 * sleepNanos, strategy.maxSleepNanos());
    }

    private void countIdleRound() {
        if (idleRounds < WaitStrategy.FOREVER - 1) {
            idleRounds++;
        }
    }

    private void reset() {
        idleRounds = 0;
        sleepNanos = strategy.minSleepNanos();
        if (armed) {
            armed = false;
            signal.disarm();
        }
    }
}
