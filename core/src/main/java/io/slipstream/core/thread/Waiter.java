package io.slipstream.core.thread;

import java.util.concurrent.locks.LockSupport;

/**
 * Carries a {@link WaitStrategy} out for one thread, which calls {@link #idle} after each round of its loop.
 *
 * <p>Before it sleeps on the signal it returns once with its signal armed, so that the loop itself is the second look for work.
 * On a virtual thread it neither spins nor yields.
 */
public final class Waiter {
    private final WaitStrategy strategy;
    private final Signal signal;
    private int idleRounds;
    private long sleepNanos;
    private boolean armed;
    private boolean began;
    private int spins;
    private int yields;

    Waiter(WaitStrategy strategy, Signal signal) {
        this.strategy = strategy;
        this.signal = signal;
        this.sleepNanos = strategy.minSleepNanos();
    }

    /** Waits if {@code workCount}, what the last round has done, is 0; otherwise begins anew. */
    public void idle(int workCount) {
        if (workCount > 0) {
            reset();
        } else if (idleRounds < spins) {
            countIdleRound();
            Thread.onSpinWait();
        } else if (!began) {
            begin();
        } else if (idleRounds - spins < yields) {
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

    /* A virtual thread that spins or yields keeps its carrier from others, so it goes to sleep at once. */
    private void begin() {
        began = true;
        boolean virtual = Thread.currentThread().isVirtual();
        spins = virtual ? 0 : strategy.spins();
        yields = virtual ? 0 : strategy.yields();
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
