package io.slipstream.core.executor;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

import io.slipstream.core.memory.Padding;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes the place of a submitted task now and then, to measure how long it waits and runs. There is one, used again and
 * again, so that measuring allocates nothing.
 *
 * <p>FREE: the next submitter may take it. TAKEN: it carries a task. SPENT: it has measured, and a worker frees it
 * later, so that not too many tasks are measured.
 */
final class LatencyProbe extends LatencyProbePadding implements Runnable {
    private static final VarHandle STATE = fieldVarHandle(
                    lookup(), "state", VarHandle.class, LatencyProbeState.class, int.class)
            .withInvokeExactBehavior();
    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int SPENT = 2;

    boolean isFree() {
        return state == FREE;
    }

    /** Returns this probe around {@code original} if it is to be measured, and otherwise the original. */
    Runnable mayTake(Runnable original) {
        return isFree() ? around(original) : original;
    }

    /** Returns this probe around {@code original}, or the original if the probe is in use. */
    Runnable around(Runnable original) {
        if (!STATE.compareAndSet((LatencyProbeState) this, FREE, TAKEN)) {
            return original;
        }
        task = original;
        submitted = System.nanoTime();
        return this;
    }

    /**
     * Returns the task that {@code candidate} stands for, and frees the probe if it is one; the candidate will not run.
     */
    static Runnable unwrap(Runnable candidate) {
        if (!(candidate instanceof LatencyProbe probe)) {
            return candidate;
        }
        Runnable original = Objects.requireNonNull(probe.task);
        probe.task = null;
        probe.state = FREE;
        return original;
    }

    /**
     * Returns the task that {@code candidate} stands for at this moment, or null if that has run; the candidate may
     * still run.
     */
    static @Nullable Runnable peel(Runnable candidate) {
        return candidate instanceof LatencyProbe probe ? probe.task : candidate;
    }

    void rearm() {
        if (state == SPENT) {
            STATE.compareAndSet((LatencyProbeState) this, SPENT, FREE);
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

/** The fields of the probe, between the paddings: each submitter reads its state with each task. */
abstract class LatencyProbeState extends Padding {
    volatile int state;

    @Nullable
    Runnable task;

    long submitted;
    volatile long samples;
    volatile long waitedNanos;
    volatile long longestWaitNanos;
    volatile long ranNanos;
    volatile long longestRunNanos;
}

/** The padding behind these fields. */
@SuppressWarnings("unused")
abstract class LatencyProbePadding extends LatencyProbeState {
    byte r000, r001, r002, r003, r004, r005, r006, r007, r008, r009, r010, r011, r012, r013, r014, r015;
    byte r016, r017, r018, r019, r020, r021, r022, r023, r024, r025, r026, r027, r028, r029, r030, r031;
    byte r032, r033, r034, r035, r036, r037, r038, r039, r040, r041, r042, r043, r044, r045, r046, r047;
    byte r048, r049, r050, r051, r052, r053, r054, r055, r056, r057, r058, r059, r060, r061, r062, r063;
    byte r064, r065, r066, r067, r068, r069, r070, r071, r072, r073, r074, r075, r076, r077, r078, r079;
    byte r080, r081, r082, r083, r084, r085, r086, r087, r088, r089, r090, r091, r092, r093, r094, r095;
    byte r096, r097, r098, r099, r100, r101, r102, r103, r104, r105, r106, r107, r108, r109, r110, r111;
    byte r112, r113, r114, r115, r116, r117, r118, r119, r120, r121, r122, r123, r124, r125, r126, r127;
    byte r128, r129, r130, r131, r132, r133, r134, r135, r136, r137, r138, r139, r140, r141, r142, r143;
}
