package io.slipstream.core.thread;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Where one thread sleeps, and how others wake it.
 *
 * <p>The sleeper calls {@link #arm}, looks once more for work, and then calls {@link #sleep}. Others publish their work
 * and then call {@link #wake}. The full fences in {@code arm} and {@code wake} pair up: either the waker sees the armed
 * signal, or the sleeper sees the published work (Dekker's argument), so that no wake-up is lost. While the sleeper is
 * awake a wake costs a fence and a read.
 *
 * <p>A subclass may sleep elsewhere, as a gateway does in its selector.
 */
public class Signal extends SignalState.Padded {
    private static final VarHandle ARMED = fieldVarHandle(
                    lookup(), "armed", VarHandle.class, SignalState.class, boolean.class)
            .withInvokeExactBehavior();

    /** Creates a signal that no thread sleeps on. */
    public Signal() {}

    /** Announces that the calling thread is about to sleep. It must look for work between this and {@link #sleep}. */
    public final void arm() {
        if (sleeper != Thread.currentThread()) {
            sleeper = Thread.currentThread();
        }
        ARMED.setOpaque((SignalState) this, true);
        VarHandle.fullFence();
    }

    /** Withdraws {@link #arm}, because there was work or the sleep is over. */
    public final void disarm() {
        ARMED.setOpaque((SignalState) this, false);
    }

    /**
     * Sleeps until woken or until {@code nanos} have passed; may also return early. Returns at once if a wake came
     * after {@link #arm}.
     */
    public final void sleep(long nanos) {
        if ((boolean) ARMED.getOpaque((SignalState) this)) {
            await(nanos);
        }
        disarm();
    }

    /** Wakes the sleeper if there is one; callable by any thread, after it has published its work. */
    public final void wake() {
        VarHandle.fullFence();
        wakeIfArmed();
    }

    /**
     * Wakes the sleepers of all of {@code signals}, for a caller that has made a full fence since it published its
     * work. Where signals are added meanwhile it reads the array behind that fence, so that it sees the signal, or the
     * sleeper the work.
     */
    public static void wakeAllFenced(Signal[] signals) {
        for (Signal signal : signals) {
            signal.wakeIfArmed();
        }
    }

    private void wakeIfArmed() {
        if ((boolean) ARMED.getOpaque((SignalState) this)) {
            wakeSleeper();
        }
    }

    private void wakeSleeper() {
        Thread thread = sleeper;
        if (thread != null && ARMED.compareAndSet((SignalState) this, true, false)) {
            try {
                interruptSleep(thread);
            } catch (StackOverflowError e) {
                // It sleeps on, and the next one shall wake it. Without a call, as there is no stack for one.
                armed = true;
                throw e;
            }
        }
    }

    /** Blocks the calling thread for at most {@code nanos}, or until {@link #interruptSleep}, also an earlier one. */
    protected void await(long nanos) {
        if (nanos == WaitStrategy.UNTIL_WOKEN_NANOS) {
            // Spares the system a timer.
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, nanos);
        }
    }

    /** Ends the {@link #await} of {@code thread}, or the next one if it has not begun. */
    protected void interruptSleep(Thread thread) {
        LockSupport.unpark(thread);
    }
}
