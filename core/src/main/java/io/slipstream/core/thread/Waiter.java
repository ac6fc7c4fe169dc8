package io.slipstream.core.thread;

import java.util.concurrent.locks.LockSupport;

/**
 * Carries a {@link WaitStrategy} out for one thread, which calls {@link #idle} after each round of its loop.
 *
 * <p>Before it sleeps on the signal it returns once with its signal armed, so that the loop itself is the second look
 * for work. On a virtual thread it neither spins nor yields.
 *
 * <p>Spinning before a sleep on the signal pays only if work comes while it lasts. Where the publisher waits for this
 * very processor it never does. So each sleep halves the spins before the next one; when a spin has found work they are
 * as many as the strategy says again, and one time in {@value #SLEEPS_A_TRIAL} they are, to find out.
 */
public final class Waiter extends WaiterState.Padded {
    private static final int SLEEPS_A_TRIAL = 64;

    Waiter(WaitStrategy strategy, Signal signal) {
        super(strategy, signal);
    }

    /**
     * Waits if {@code workCount}, what the last round has done, is 0; otherwise begins anew.
     *
     * @return whether the thread may have been away from its processor, that is, did anything but spin
     */
    public boolean idle(int workCount) {
        if (workCount > 0) {
            reset();
            return false;
        }
        if (idleRounds < spins) {
            countIdleRound();
            Thread.onSpinWait();
            return false;
        }
        rest();
        return true;
    }

    private void rest() {
        if (!began) {
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
            spinLess();
            armed = true;
            signal.arm();
        }
    }

    private void spinLess() {
        spinsNextTime = ++sleeps % SLEEPS_A_TRIAL == 0 ? fullSpins() : spins >> 1;
    }

    /* A virtual thread that spins or yields keeps its carrier from others, so it goes to sleep at once. */
    private void begin() {
        began = true;
        spins = fullSpins();
        spinsNextTime = spins;
        yields = Thread.currentThread().isVirtual() ? 0 : strategy.yields();
    }

    private int fullSpins() {
        return Thread.currentThread().isVirtual() ? 0 : strategy.spins();
    }

    private void lengthenSleep() {
        sleepNanos = strategy.longerSleepNanos(sleepNanos);
    }

    private void countIdleRound() {
        if (idleRounds < WaitStrategy.FOREVER - 1) {
            idleRounds++;
        }
    }

    private void reset() {
        if (began) {
            spins = idleRounds > 0 && idleRounds < spins ? fullSpins() : spinsNextTime;
        }
        idleRounds = 0;
        sleepNanos = strategy.minSleepNanos();
        if (armed) {
            armed = false;
            signal.disarm();
        }
    }
}
