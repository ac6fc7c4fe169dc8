package io.slipstream.core.executor;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.VarHandle;
import java.util.Objects;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

/**
 * Takes the place of a submitted task now and then, to measure how long it waits and runs. There is one, used again and again, so that
 * measuring allocates nothing.
 *
 * <p>FREE: the next submitter may take it. TAKEN: it carries a task. SPENT: it has measured, and a worker frees it later, so that not
 * too many tasks are measured.
 */
final class LatencyProbe implements Runnable {
    private static final VarHandle STATE = fieldVarHandle(lookup(), "state", VarHandle.class, LatencyProbe.class, int.class);
    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int SPENT = 2;

    private volatile int state;
    private @Nullable Runnable task;
    private long submitted;
    private volatile long samples;
    private volatile long waitedNanos;
    private volatile long longestWaitNanos;
    private volatile long ranNanos;
    private volatile long longestRunNanos;

    boolean isFree() {
        return state == FREE;
    }

    /** Returns this probe around {@code original} if it is to be measured, and otherwise the original. */
    Runnable mayTake(Runnable original) {
        return isFree() ? around(original) : original;
    }

    /** Returns this probe around {@code original}, or the original if the probe is in use. */
    Runnable around(Runnable original) {
        if (!STATE.compareAndSet(this, FREE, TAKEN)) {
            return original;
        }
        task = original;
        submitted = System.nanoTime();
        return this;
    }

    /** Returns the task that {@code candidate} stands for, and frees the probe if it is one; the candidate will not run. */
    static Runnable unwrap(Runnable candidate) {
        if (!(candidate instanceof LatencyProbe probe)) {
            return candidate;
        }
        Runnable original = Objects.requireNonNull(probe.task);
        probe.task = null;
        probe.state = FREE;
        return original;
    }

    void rearm() {
        if (state == SPENT) {
            STATE.compareAndSet(this, SPENT, FREE);
        }
    }

    @Override
    public void run() {
        Runnable original = Objects.requireNonNull(task);
        long begun = System.nanoTime();
        try {
            original.run();
        } finally {
            record(begun - submitted, System.nanoTime() - begun);
            task = null;
            state = SPENT;
        }
    }

    /** Only the thread that runs the carried task gets here, and it is one at a time. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void record(long waited, long ran) {
        samples = samples + 1;
        waitedNanos = waitedNanos + waited;
        longestWaitNanos = Math.max(longestWaitNanos, waited);
        ranNanos = ranNanos + ran;
        longestRunNanos = Math.max(longestRunNanos, ran);
    }

    ExecutorStats.Latency latency() {
        long n = Math.max(1, samples);
        return new ExecutorStats.Latency(samples, waitedNanos / n, longestWaitNanos, ranNanos / n, longestRunNanos);
    }
}
