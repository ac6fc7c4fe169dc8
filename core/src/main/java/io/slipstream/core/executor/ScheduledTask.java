package io.slipstream.core.executor;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

import java.lang.invoke.VarHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A task that becomes due, once or periodically; while it waits it is a link of the {@link TimerWheel}. */
final class ScheduledTask<V> extends FutureTask<V> implements RunnableScheduledFuture<V> {
    private static final VarHandle DEADLINE =
            fieldVarHandle(lookup(), "deadlineNanos", VarHandle.class, ScheduledTask.class, long.class);
    private static final VarHandle QUEUED =
            fieldVarHandle(lookup(), "queued", VarHandle.class, ScheduledTask.class, boolean.class);
    private static final VarHandle SETTLED =
            fieldVarHandle(lookup(), "settled", VarHandle.class, ScheduledTask.class, boolean.class);

    private final Timers timers;
    private final long periodNanos;
    private volatile long deadlineNanos;
    private volatile boolean queued;
    private volatile boolean settled;

    /* What follows belongs to whoever has the wheel. */
    int slot = -1;
    long sequence;

    @Nullable
    ScheduledTask<?> next;

    @Nullable
    ScheduledTask<?> previous;

    /** The next one whose request is being answered. */
    @Nullable
    ScheduledTask<?> nextAnswer;

    /** The next request behind this one; belongs to whoever has marked this as queued. */
    @Nullable
    ScheduledTask<?> nextRequest;

    /** How many requests there are from this one on. */
    int requestDepth;

    /**
     * Creates a task.
     *
     * @param deadlineNanos on the clock of {@code timers}, or {@link #unstamped}
     * @param periodNanos   0 for once; positive from begin to begin; negative from end to begin; more than 146 years
     *                      count as so many, so that no deadline overflows
     */
    ScheduledTask(Timers timers, Callable<V> action, long deadlineNanos, long periodNanos) {
        super(action);
        this.timers = timers;
        // What hands the task over orders this; a volatile write would wait for the new task's memory.
        DEADLINE.set(this, deadlineNanos);
        this.periodNanos = Math.clamp(periodNanos, -(Long.MAX_VALUE >> 1), Long.MAX_VALUE >> 1);
    }

    /** Returns what stands for the deadline of a delay that does not count yet. */
    static long unstamped(long delayNanos) {
        return ~delayNanos;
    }

    boolean isStamped() {
        return deadlineNanos >= 0;
    }

    /** Lets the delay count from {@code now}, if it does not count already; only for whoever has the wheel. */
    void stamp(long now) {
        long delay = ~deadlineNanos;
        if (delay >= 0) {
            DEADLINE.setRelease(this, now + delay);
        }
    }

    long deadlineNanos() {
        if (!isStamped()) {
            timers.wheel.answer();
        }
        return deadlineNanos;
    }

    @Override
    public boolean isPeriodic() {
        return periodNanos != 0;
    }

    @Override
    public long getDelay(TimeUnit unit) {
        return unit.convert(deadlineNanos() - timers.now(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
        if (other instanceof ScheduledTask<?> task && task.timers == timers) {
            int byDeadline = Long.compare(deadlineNanos(), task.deadlineNanos());
            return byDeadline != 0 ? byDeadline : Long.compare(sequence, task.sequence);
        }
        return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }

    @Override
    public void run() {
        if (!isPeriodic()) {
            super.run();
        } else if (timers.isClosed()) {
            cancel(false);
        } else if (runAndReset()) {
            deadlineNanos = periodNanos > 0 ? deadlineNanos + periodNanos : timers.now() - periodNanos;
            timers.enterAgain(this);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            timers.wheel.request(this);
        }
        return cancelled;
    }

    @Override
    protected void done() {
        settle();
    }

    /** Gives the place of this task back, once; returns whether this was that time. */
    boolean settle() {
        if (!SETTLED.compareAndSet(this, false, true)) {
            return false;
        }
        timers.settled();
        return true;
    }

    /** Returns true to the one who must put this task among the requests. */
    boolean markQueued() {
        return QUEUED.compareAndSet(this, false, true);
    }

    /** As {@link #markQueued}, for a task that no other thread knows. */
    void markNewAsQueued() {
        QUEUED.set(this, true);
    }

    /**
     * A full fence and then a look at the task's state must follow: who changes it later puts the task among the
     * requests again.
     */
    void unmarkQueued() {
        QUEUED.setRelease(this, false);
    }
}
