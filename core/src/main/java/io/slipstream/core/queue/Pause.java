package io.slipstream.core.queue;

import io.slipstream.core.queue.Sleepers.Sleeper;
import io.slipstream.core.thread.WaitStrategy;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.locks.LockSupport;

/**
 * One blocking call's way through its wait strategy, up to a time limit and open to interruption. A virtual thread neither spins nor
 * yields, as that would keep its carrier from others.
 */
final class Pause {
    private final WaitStrategy strategy;
    private final Sleepers sleepers;
    private final int spins;
    private final int yields;
    private final boolean timed;
    private final long deadline;
    private int rounds;
    private long sleepNanos;
    private @Nullable Sleeper sleeper;
    private boolean armed;

    Pause(WaitStrategy strategy, Sleepers sleepers, long nanos) {
        this.strategy = strategy;
        this.sleepers = sleepers;
        boolean virtual = Thread.currentThread().isVirtual();
        this.spins = virtual ? 0 : strategy.spins();
        this.yields = virtual ? 0 : strategy.yields();
        this.timed = nanos < Long.MAX_VALUE;
        this.deadline = timed ? System.nanoTime() + Math.max(0, nanos) : 0;
        this.sleepNanos = strategy.minSleepNanos();
    }

    /**
     * Waits a little, so that the caller tries again.
     *
     * @return false if the time is over
     * @throws InterruptedException if the thread was interrupted
     */
    boolean await() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long remaining = timed ? deadline - System.nanoTime() : Long.MAX_VALUE;
        if (remaining <= 0) {
            return false;
        }
        if (rounds < spins) {
            count();
            Thread.onSpinWait();
        } else if (rounds - spins < yields) {
            count();
            Thread.yield();
        } else if (strategy.wakeable()) {
            armOrSleep(remaining);
        } else {
            LockSupport.parkNanos(this, Math.min(remaining, sleepNanos));
            sleepNanos = strategy.longerSleepNanos(sleepNanos);
        }
        return true;
    }

    private void count() {
        if (rounds < WaitStrategy.FOREVER - 1) {
            rounds++;
        }
    }

    private void armOrSleep(long remaining) {
        Sleeper mine = sleeper;
        if (mine == null) {
            mine = new Sleeper();
            sleeper = mine;
        }
        if (armed) {
            armed = false;
            mine.sleep(Math.min(remaining, strategy.maxSleepNanos()));
        } else {
            if (!mine.listed) {
                sleepers.enlist(mine);
            }
            mine.arm();
            armed = true;
        }
    }

    /** Ends the waiting; returns whether a waker had chosen this thread, which then must see that its wake-up is not wasted. */
    boolean end() {
        Sleeper mine = sleeper;
        if (mine == null) {
            return false;
        }
        mine.disarm();
        return !sleepers.withdraw(mine);
    }
}
