package io.slipstream.core.thread;

import java.util.concurrent.locks.LockSupport;

/**
 * One call's way through a {@link WaitStrategy}: for threads that wait in the middle of their own work, as a publisher does
 * for room, and own no {@link Waiter}.
 *
 * <p>It holds no state but the number of the round, which the caller counts; so it may be shared by all threads.
 */
public final class Patience {
    private final WaitStrategy strategy;
    private final Sleepers sleepers;

    /** Creates the waiting of callers who may be woken through {@code sleepers}. */
    public Patience(WaitStrategy strategy, Sleepers sleepers) {
        this.strategy = strategy;
        this.sleepers = sleepers;
    }

    /** Returns whether a caller may sleep until it is woken, so that wakers must call {@link Sleepers#wakeAll}. */
    public boolean isWakeable() {
        return strategy.wakeable();
    }

    /**
     * Waits in round {@code round}, for at most {@code nanos}; a virtual thread neither spins nor yields.
     *
     * @param round  how often the caller has waited already
     * @param place  from {@link Sleepers#arm} when {@link #mustArm} said so before the caller's last look, else
     *               {@link Sleepers#NO_PLACE}
     */
    public void await(int round, int place, long nanos) {
        if (mustArm(round)) {
            sleepers.sleep(place, Math.min(nanos, strategy.maxSleepNanos()));
            return;
        }
        int spins = Thread.currentThread().isVirtual() ? 0 : strategy.spins();
        if (round < spins) {
            Thread.onSpinWait();
        } else if (!Thread.currentThread().isVirtual() && round - spins < strategy.yields()) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(this, Math.min(nanos, strategy.sleepNanos(round)));
        }
    }

    /** Returns whether the wait of {@code round} is a sleep that needs {@link Sleepers#arm} before the caller looks again. */
    public boolean mustArm(int round) {
        return strategy.wakeable() && (Thread.currentThread().isVirtual()
                || round - strategy.spins() >= strategy.yields());
    }

    /** Returns where callers sleep. */
    public Sleepers sleepers() {
        return sleepers;
    }
}
