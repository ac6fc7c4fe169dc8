package io.slipstream.core.thread;

import java.util.concurrent.locks.LockSupport;

/**
 * Carries a {@link WaitStrategy} out for one thread, which calls {@link #idle} after each round of its loop.
 *
 * <p>Before it sleeps on the signal it returns once with its signal armed, so that the loop itself is the second look for work.
 * On a virtual thread it neither spins nor yields.
 *
 * <p>Spinning before a sleep on the signal pays only if work comes while it lasts. Where the publisher waits for this very
 * processor it never does. So each sleep halves the spins before the next one; when a spin has found work they are as many as
 * the strategy says again, and one time in {@value #SLEEPS_A_TRIAL} they are, to find out.
 */
@SuppressWarnings("unused")
public final class Waiter extends WaiterState {
    private static final int SLEEPS_A_TRIAL = 64;

    byte r000, r001, r002, r003, r004, r005, r006, r007, r008, r009, r010, r011, r012, r013, r014, r015;
    byte r016, r017, r018, r019, r020, r021, r022, r023, r024, r025, r026, r027, r028, r029, r030, r031;
    byte r032, r033, r034, r035, r036, r037, r038, r039, r040, r041, r042, r043, r044, r045, r046, r047;
    byte r048, r049, r050, r051, r052, r053, r054, r055, r056, r057, r058, r059, r060, r061, r062, r063;
    byte r064, r065, r066, r067, r068, r069, r070, r071, r072, r073, r074, r075, r076, r077, r078, r079;
    byte r080, r081, r082, r083, r084, r085, r086, r087, r088, r089, r090, r091, r092, r093, r094, r095;
    byte r096, r097, r098, r099, r100, r101, r102, r103, r104, r105, r106, r107, r108, r109, r110, r111;
    byte r112, r113, r114, r115, r116, r117, r118, r119, r120, r121, r122, r123, r124, r125, r126, r127;
    byte r128, r129, r130, r131, r132, r133, r134, r135, r136, r137, r138, r139, r140, r141, r142, r143;

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
