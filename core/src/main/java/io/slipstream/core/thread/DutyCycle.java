package io.slipstream.core.thread;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Duties that are done in turn by one thread: that of a {@link Worker}, or the user's own loop.
 *
 * <pre>{@code
 * try (DutyCycle cycle = new DutyCycle(List.of(gateway, logic), DutyPolicy.STOP_ALL, failure -> { })) {
 *     cycle.start();
 *     while (running) {
 *         waiter.idle(cycle.round());
 *     }
 * }
 * }</pre>
 *
 * All methods but {@link #stats} belong to that thread.
 */
public final class DutyCycle extends DutyCycleState.Padded implements AutoCloseable {
    private static final VarHandle ROUNDS = counter("rounds");
    private static final VarHandle BUSY = counter("busyNanos");
    private static final VarHandle LONGEST = counter("longestRoundNanos");
    private static final VarHandle FAILURES = counter("failures");
    private static final Duty[] NONE = {};

    private static final long RETRY_PARK_NANOS = 1_000;

    /* The clock costs more than a look for work; so much a duty that is waited for with spins would react later. */
    private static final int SPINS_PER_LOOK_AT_THE_CLOCK = 32;

    /**
     * Creates a cycle; {@link #start} begins it.
     *
     * @param duties    done in this order
     * @param policy    what becomes of a duty that has thrown
     * @param onFailure gets what a duty has thrown, after the policy was carried out; what it throws itself goes
     *                  to the thread's handler for uncaught exceptions and stands among the suppressed ones of the
     *                  failure
     * @throws IllegalArgumentException if one and the same duty is there twice
     */
    public DutyCycle(List<? extends Duty> duties, DutyPolicy policy, Consumer<? super Throwable> onFailure) {
        super(eachOnce(duties), policy, onFailure);
    }

    private static Duty[] eachOnce(List<? extends Duty> duties) {
        Duty[] all = List.copyOf(duties).toArray(NONE);
        Set<Duty> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < all.length; i++) {
            if (!seen.add(all[i])) {
                throw new IllegalArgumentException("the duty at " + i
                        + " is there twice, though it is started and stopped once: " + all[i]
                        + "; make another one, or let its work() do more");
            }
        }
        return all;
    }

    /** Starts every duty, once. One that throws counts as failed, as in a round. */
    public void start() {
        Duty[] all = planned;
        planned = NONE;
        for (Duty duty : all) {
            duties = append(duties, duty);
            try {
                duty.onStart();
            } catch (Throwable e) {
                failed(duty, e);
                if (policy == DutyPolicy.STOP_ALL) {
                    return;
                }
            }
        }
    }

    /** Lets each duty do what there is to do; returns how much that was, at most {@link Integer#MAX_VALUE}. */
    public int round() {
        if (!wasBusy) {
            begin(System.nanoTime());
        }
        int done = work(clock);
        if (done == 0) {
            lookAtTheClock();
        }
        return done;
    }

    /**
     * As {@link #round}, but the thread has done nothing since the last one but spin, so that the clock is not read
     * each time.
     */
    int roundAfterSpin() {
        if (++spins > SPINS_PER_LOOK_AT_THE_CLOCK) {
            lookAtTheClock();
        }
        return work(clock);
    }

    private int work(long begin) {
        // Wide enough for what any number of duties can return.
        long sum = 0;
        for (Duty duty : duties) {
            if (!isActive()) {
                break;
            }
            try {
                sum += Math.max(0, duty.work());
            } catch (Throwable e) {
                sum++;
                failed(duty, e);
            }
        }
        wasBusy = sum > 0;
        if (wasBusy) {
            long now = System.nanoTime();
            count(now - begin);
            begin(now);
        }
        return (int) Math.min(sum, Integer.MAX_VALUE);
    }

    /** What has passed since the last look, with nothing to do, was a stall if it was long. */
    private void lookAtTheClock() {
        long now = System.nanoTime();
        noteStall(now - clock);
        begin(now);
    }

    private void begin(long now) {
        clock = now;
        spins = 0;
        StallFlight present = flight;
        if (present != null) {
            present.begin();
        }
    }

    /** Says that time has passed between two rounds that was no stall, such as a sleep of the thread. */
    public void rested() {
        wasBusy = false;
    }

    /** Returns whether there is a duty that was started and not stopped. */
    public boolean isActive() {
        return duties.length > 0;
    }

    /** Stops every duty that was started and not stopped before; may be called more than once. */
    @Override
    public void close() {
        stopAll();
    }

    /** Returns what was done; callable by any thread. */
    public DutyStats stats() {
        DutyCycleState state = this;
        return new DutyStats(
                (long) ROUNDS.getAcquire(state),
                (long) BUSY.getAcquire(state),
                (long) LONGEST.getAcquire(state),
                (long) FAILURES.getAcquire(state),
                lastFailure);
    }

    private static VarHandle counter(String field) {
        return fieldVarHandle(lookup(), field, VarHandle.class, DutyCycleState.class, long.class)
                .withInvokeExactBehavior();
    }

    private void count(long nanos) {
        BUSY.setRelease((DutyCycleState) this, busyNanos + nanos);
        noteStall(nanos);
        ROUNDS.setRelease((DutyCycleState) this, rounds + 1);
    }

    private void noteStall(long nanos) {
        if (nanos > longestRoundNanos) {
            LONGEST.setRelease((DutyCycleState) this, nanos);
        }
        StallFlight present = flight;
        if (present != null) {
            present.end();
        }
    }

    private static Duty[] append(Duty[] some, Duty another) {
        Duty[] more = Arrays.copyOf(some, some.length + 1);
        more[some.length] = another;
        return more;
    }

    /** Another duty may be equal to it, and goes on. */
    private Duty[] without(Duty duty) {
        return Arrays.stream(duties).filter(other -> other != duty).toArray(Duty[]::new);
    }

    /** Stops every duty because of what went wrong on their thread beside them. */
    void fail(Throwable thrown) {
        stopAll(thrown);
        report(thrown);
    }

    /** Needs no memory, and no class that is not there: it may be that which is missing. */
    private void failed(Duty duty, Throwable thrown) {
        if (policy == DutyPolicy.STOP_ALL) {
            stopAll(thrown);
        } else if (policy == DutyPolicy.STOP_DUTY) {
            Duty[] left = without(duty);
            if (left.length < duties.length) {
                duties = left;
                stop(duty, thrown);
            }
        } else if (Thread.currentThread().isVirtual()) {
            // What the duty needs to succeed may need the carrier, which one that only yields can get again and again.
            LockSupport.parkNanos(RETRY_PARK_NANOS);
        }
        report(thrown);
    }

    private void stopAll() {
        Throwable thrown = stopAll(null);
        if (thrown != null) {
            report(thrown);
        }
    }

    private @Nullable Throwable stopAll(@Nullable Throwable cause) {
        Duty[] stopped = duties;
        duties = NONE;
        Throwable first = cause;
        for (Duty duty : stopped) {
            first = stop(duty, first);
        }
        return first;
    }

    private static @Nullable Throwable stop(Duty duty, @Nullable Throwable first) {
        try {
            duty.onStop();
        } catch (Throwable e) {
            if (first == null) {
                return e;
            }
            suppress(first, e);
        }
        return first;
    }

    private static void suppress(Throwable first, Throwable other) {
        if (first != other) {
            try {
                first.addSuppressed(other);
            } catch (OutOfMemoryError e) {
                // The first one is what must be told.
            }
        }
    }

    private void report(Throwable thrown) {
        lastFailure = thrown;
        try {
            FAILURES.setRelease((DutyCycleState) this, failures + 1);
        } catch (OutOfMemoryError e) {
            // The first use of a handle takes memory. That somebody is told matters more than that it is counted.
        }
        try {
            onFailure.accept(thrown);
        } catch (Throwable e) {
            reportBrokenListener(thrown, e);
        }
    }

    /** The duties go on as the policy says; that nobody was told must be seen all the same. */
    private static void reportBrokenListener(Throwable thrown, Throwable ofListener) {
        suppress(thrown, ofListener);
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, ofListener);
        } catch (Throwable ignored) {
            // As with a thread's own death: what the handler throws has nowhere to go.
        }
    }
}
