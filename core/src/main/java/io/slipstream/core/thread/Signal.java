package io.slipstream.core.thread;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

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
@SuppressWarnings("unused")
public class Signal extends SignalState {
    private static final VarHandle ARMED = fieldVarHandle(
            lookup(), "armed", VarHandle.class, SignalState.class, boolean.class).withInvokeExactBehavior();

    byte r000, r001, r002, r003, r004, r005, r006, r007, r008, r009, r010, r011, r012, r013, r014, r015;
    byte r016, r017, r018, r019, r020, r021, r022, r023, r024, r025, r026, r027, r028, r029, r030, r031;
    byte r032, r033, r034, r035, r036, r037, r038, r039, r040, r041, r042, r043, r044, r045, r046, r047;
    byte r048, r049, r050, r051, r052, r053, r054, r055, r056, r057, r058, r059, r060, r061, r062, r063;
    byte r064, r065, r066, r067, r068, r069, r070, r071, r072, r073, r074, r075, r076, r077, r078, r079;
    byte r080, r081, r082, r083, r084, r085, r086, r087, r088, r089, r090, r091, r092, r093, r094, r095;
    byte r096, r097, r098, r099, r100, r101, r102, r103, r104, r105, r106, r107, r108, r109, r110, r111;
    byte r112, r113, r114, r115, r116, r117, r118, r119, r120, r121, r122, r123, r124, r125, r126, r127;
    byte r128, r129, r130, r131, r132, r133, r134, r135, r136, r137, r138, r139, r140, r141, r142, r143;

    /** Creates a signal that no thread sleeps on. */
    public Signal() {
    }

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
     * Sleeps until woken or until {@code nanos} have passed; may also return early. Returns at once if a wake came after
     * {@link #arm}.
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
     * Wakes the sleepers of all of {@code signals}, for a caller that has made a full fence since it published its work. Where signals are
     * added meanwhile it reads the array behind that fence, so that it sees the signal, or the sleeper the work.
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
            interruptSleep(thread);
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
