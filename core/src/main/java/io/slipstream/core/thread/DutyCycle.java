package io.slipstream.core.thread;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

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
public final class DutyCycle implements AutoCloseable {
    private static final VarHandle ROUNDS = fieldVarHandle(lookup(), "rounds", VarHandle.class, DutyCycle.class, long.class);
    private static final VarHandle BUSY = fieldVarHandle(lookup(), "busyNanos", VarHandle.class, DutyCycle.class, long.class);
    private static final VarHandle LONGEST = fieldVarHandle(
            lookup(), "longestRoundNanos", VarHandle.class, DutyCycle.class, long.class);
    private static final VarHandle FAILURES = fieldVarHandle(
            lookup(), "failures", VarHandle.class, DutyCycle.class, long.class);
    private static final Duty[] NONE = {};

    /* The clock costs more than a look for work; so much a duty that is waited for with spins would react later. */
    private static final int SPINS_PER_LOOK_AT_THE_CLOCK = 32;

    private final DutyPolicy policy;
    private final Consumer<? super Throwable> onFailure;
    private Duty[] duties;
    private boolean wasBusy;
    private long clock;
    private int spins;
    private long rounds;
    private long busyNanos;
    private long longestRoundNanos;
    private long failures;
    private volatile @Nullable Throwable lastFailure;

    /**
     * Creates a cycle; {@link #start} begins it.
     *
     * @param duties    done in this order
     * @param policy    what becomes of a duty that has thrown
     * @param onFailure told of what a duty has thrown, after what the policy says was done
     */
    public DutyCycle(List<? extends Duty> duties, DutyPolicy policy, Consumer<? super Throwable> onFailure) {
        this.duties = List.copyOf(duties).toArray(NONE);
        this.policy = Objects.requireNonNull(policy, "policy");
        this.onFailure = Objects.requireNonNull(onFailure, "onFailure");
    }

    /** Starts every duty. One that throws counts as failed, as in a round. */
    public void start() {
        for (Duty duty : duties) {
            try {
                duty.onStart();
            } catch (Throwable e) {
                failed(duty, e);
            }
        }
    }

    /** Lets each duty do what there is to do; returns how much that was. */
    public int round() {
        if (!wasBusy) {
            clock = System.nanoTime();
            spins = 0;
        }
        return roundFrom(clock);
    }

    /** As {@link #round}, but the thread has done nothing since the last one but spin, so that the clock is not read each time. */
    int roundAfterSpin() {
        if (++spins > SPINS_PER_LOOK_AT_THE_CLOCK) {
            clock = System.nanoTime();
            spins = 0;
        }
        return roundFrom(clock);
    }

    private int roundFrom(long begin) {
        int done = 0;
        for (Duty duty : duties) {
            try {
                done += duty.work();
            } catch (Throwable e) {
                failed(duty, e);
                done++;
            }
        }
        wasBusy = done > 0;
        if (wasBusy) {
            clock = System.nanoTime();
            spins = 0;
            count(clock - begin);
        }
        return done;
    }

    /** Says that time has passed between two rounds that was no stall, such as a sleep of the thread. */
    public void rested() {
        wasBusy = false;
    }

    /** Returns whether there is a duty left. */
    public boolean isActive() {
        return duties.length > 0;
    }

    /** Stops every duty that was not stopped before; may be called more than once. */
    @Override
    public void close() {
        stopAll();
    }

    /** Returns what was done; callable by any thread. */
    public DutyStats stats() {
        return new DutyStats((long) ROUNDS.getAcquire(this), (long) BUSY.getAcquire(this), (long) LONGEST.getAcquire(this),
                (long) FAILURES.getAcquire(this), lastFailure);
    }

    private void count(long nanos) {
        BUSY.setRelease(this, busyNanos + nanos);
        if (nanos > longestRoundNanos) {
            LONGEST.setRelease(this, nanos);
        }
        ROUNDS.setRelease(this, rounds + 1);
    }

    private void failed(Duty duty, Throwable thrown) {
        switch (policy) {
            case STOP_ALL -> stopAll(thrown);
            case STOP_DUTY -> {
                List<Duty> left = new ArrayList<>(List.of(duties));
                if (left.remove(duty)) {
                    duties = left.toArray(NONE);
                    stop(duty, thrown);
                }
            }
            case GO_ON -> { }
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
            if (first != e) {
                first.addSuppressed(e);
            }
        }
        return first;
    }

    private void report(Throwable thrown) {
        lastFailure = thrown;
        FAILURES.setRelease(this, failures + 1);
        onFailure.accept(thrown);
    }
}
