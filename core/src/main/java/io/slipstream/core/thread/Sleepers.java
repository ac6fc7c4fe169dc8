package io.slipstream.core.thread;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

import io.slipstream.core.memory.PaddedLong;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where any number of threads sleep until a condition may have changed, as publishers do while a ring is full.
 *
 * <p>A sleeper calls {@link #arm}, looks once more at the condition, and then sleeps at the {@link Place} that it got.
 * A waker changes the condition and then calls {@link #wakeAll} or {@link #wakeOne}. The pairing of fences is that of
 * {@link Signal}: no wake-up is lost, and a wake costs a fence and a read while nobody sleeps.
 *
 * <p>A sleeper is counted before it is listed, and taken off the list before it is discounted. So the number is never
 * less than those on the list, and a waker that reads 0 passes over nobody. One that reads more than it finds listed
 * does no harm: who is about to be listed looks at the condition after that.
 *
 * <p>With {@link #wakeOne} a thread that has armed and leaves for another reason must call it too if the condition
 * holds, since it may be the one that was chosen.
 */
public final class Sleepers {
    private static final int FIRST_PLACES = 16;
    private static final Object WAKING = new Object();

    private final AtomicReference<Place[]> places = new AtomicReference<>(newPlaces(new Place[0], FIRST_PLACES));
    private final PaddedLong armed = new PaddedLong(0);

    /** Where the search for the next one to wake begins, so that nobody is passed over for ever; any value will do. */
    private int turn;

    /** Creates a place where nobody sleeps. */
    public Sleepers() {}

    /**
     * Announces that the calling thread is about to sleep. It must look at the condition between this and the sleep.
     */
    public Place arm() {
        count(1);
        Place place = list();
        VarHandle.fullFence();
        return place;
    }

    void count(long change) {
        armed.getAndAdd(change);
    }

    Place list() {
        Thread thread = Thread.currentThread();
        while (true) {
            Place[] present = places.get();
            for (Place place : present) {
                if (place.sleeper == null && Place.SLEEPER.compareAndSet(place, null, thread)) {
                    return place;
                }
            }
            places.compareAndSet(present, newPlaces(present, 2 * present.length));
        }
    }

    private Place[] newPlaces(Place[] present, int count) {
        Place[] more = Arrays.copyOf(present, count);
        for (int i = present.length; i < count; i++) {
            more[i] = new Place();
        }
        return more;
    }

    /** Wakes every sleeper; callable by any thread, after it has changed the condition. */
    public void wakeAll() {
        VarHandle.fullFence();
        if (armed.getOpaque() > 0) {
            for (Place place : places.get()) {
                place.wake();
            }
        }
    }

    /**
     * Wakes one sleeper if there is one; callable by any thread, after it has changed the condition so that one can go
     * on.
     */
    public void wakeOne() {
        VarHandle.fullFence();
        if (armed.getOpaque() > 0) {
            wakeNext(places.get());
        }
    }

    /** As {@link #wakeOne}, without its fence: for a waker that changed the condition with the order of a volatile. */
    public void wakeOneFenced() {
        if (armed.getVolatile() > 0) {
            wakeNext(places.get());
        }
    }

    private void wakeNext(Place[] present) {
        int first = turn;
        for (int i = 0; i < present.length; i++) {
            int at = (first + i) & (present.length - 1);
            if (present[at].wake()) {
                turn = at + 1;
                return;
            }
        }
    }

    /** Returns whether a thread has armed and was neither woken nor has withdrawn; for pictures and proofs. */
    public boolean isAnyoneListed() {
        return armed.getAcquire() > 0;
    }

    /**
     * Where one thread sleeps, from {@link Sleepers#arm} until it is woken or withdraws; then another one may have it.
     */
    public final class Place {
        private static final VarHandle SLEEPER =
                fieldVarHandle(lookup(), "sleeper", VarHandle.class, Place.class, Object.class);

        /** The thread; {@link #WAKING} while it is woken, so that no other one gets the place; null if it is free. */
        private volatile @Nullable Object sleeper;

        private Place() {}

        /** Sleeps until woken, for at most {@code nanos}; may return early. Gives the place back. */
        public void sleep(long nanos) {
            if (sleeper == Thread.currentThread()) {
                if (nanos == WaitStrategy.UNTIL_WOKEN_NANOS) {
                    LockSupport.park(Sleepers.this);
                } else {
                    LockSupport.parkNanos(Sleepers.this, nanos);
                }
            }
            disarm();
        }

        /** Withdraws {@link Sleepers#arm}, and gives the place back. */
        public void disarm() {
            if (SLEEPER.compareAndSet(this, Thread.currentThread(), null)) {
                count(-1);
            }
        }

        boolean isListed() {
            return sleeper != null;
        }

        private boolean wake() {
            if (!(sleeper instanceof Thread thread) || !SLEEPER.compareAndSet(this, thread, WAKING)) {
                return false;
            }
            boolean woken = false;
            try {
                LockSupport.unpark(thread);
                woken = true;
                count(-1);
                sleeper = null;
            } catch (StackOverflowError e) {
                // If it sleeps on, the next one shall wake it. Without a call, as there is no stack for one.
                sleeper = woken ? null : thread;
                throw e;
            }
            return true;
        }
    }
}
