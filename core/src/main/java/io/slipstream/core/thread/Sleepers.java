package io.slipstream.core.thread;

import io.slipstream.core.memory.PaddedLong;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Where any number of threads sleep until a condition may have changed, as publishers do while a ring is full.
 *
 * <p>A sleeper calls {@link #arm}, looks once more at the condition, and then calls {@link #sleep}. A waker changes the
 * condition and then calls {@link #wakeAll}. The pairing of fences is that of {@link Signal}: no wake-up is lost, and a
 * wake costs a fence and a read while nobody sleeps.
 */
public final class Sleepers {
    /** What {@link #arm} returns when as many threads sleep as there are places. */
    public static final int NO_PLACE = -1;

    private static final int PLACES = 64;
    private static final long SLEEP_WITHOUT_PLACE_NANOS = 100_000;

    private final AtomicReferenceArray<Thread> places = new AtomicReferenceArray<>(PLACES);
    private final PaddedLong armed = new PaddedLong(0);

    /** Creates a place where nobody sleeps. */
    public Sleepers() {
    }

    /** Announces that the calling thread is about to sleep; returns the place that {@link #sleep} and {@link #disarm} need. */
    public int arm() {
        Thread thread = Thread.currentThread();
        for (int place = 0; place < PLACES; place++) {
            if (places.get(place) == null && places.compareAndSet(place, null, thread)) {
                armed.getAndAdd(1);
                VarHandle.fullFence();
                return place;
            }
        }
        return NO_PLACE;
    }

    /** Sleeps at {@code place} until woken, for at most {@code nanos}; may return early. Gives the place back. */
    public void sleep(int place, long nanos) {
        if (place == NO_PLACE) {
            LockSupport.parkNanos(this, Math.min(nanos, SLEEP_WITHOUT_PLACE_NANOS));
            return;
        }
        if (places.get(place) == Thread.currentThread()) {
            LockSupport.parkNanos(this, nanos);
        }
        disarm(place);
    }

    /** Withdraws {@link #arm}. */
    public void disarm(int place) {
        if (place != NO_PLACE && places.compareAndSet(place, Thread.currentThread(), null)) {
            armed.getAndAdd(-1);
        }
    }

    /** Wakes every sleeper; callable by any thread, after it has changed the condition. */
    public void wakeAll() {
        VarHandle.fullFence();
        if (armed.getOpaque() > 0) {
            wakeThoseThere();
        }
    }

    /** Returns whether a thread has armed and was neither woken nor has withdrawn; for pictures and proofs. */
    public boolean isAnyoneListed() {
        return armed.getAcquire() > 0;
    }

    private void wakeThoseThere() {
        for (int place = 0; place < PLACES; place++) {
            Thread thread = places.get(place);
            if (thread != null && places.compareAndSet(place, thread, null)) {
                armed.getAndAdd(-1);
                LockSupport.unpark(thread);
            }
        }
    }
}
