package io.slipstream.core.executor;

import io.slipstream.core.queue.ManyToManyQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The delayed tasks of an executor, from their admission until a worker takes them or they are taken back.
 *
 * <pre>
 *   schedule -> CombiningWheel -> reached -> due -> a worker
 *                      \------ TimerThread ----/
 * </pre>
 *
 * Each task that waits is in one of three places: the wheel, those that were reached but for which the workers have no
 * place yet, and the queue of those that are due. The first two belong to whoever has the wheel, so who withdraws all
 * misses none. Who adds one looks after that whether all were withdrawn.
 */
class Timers {
    private static final int DUE_PLACES = 4096;

    final CombiningWheel wheel;
    private final ExecutorCore executor;
    private final int capacity;
    private final PlaceCount admission;
    private final TimerThread thread;
    private final ManyToManyQueue<Runnable> due;

    /** What was reached and not handed over; belongs to whoever has the wheel. */
    private final PriorityQueue<ScheduledTask<?>> reached = new PriorityQueue<>();

    private volatile boolean closed;
    private volatile boolean withdrawn;

    Timers(ExecutorCore executor, String name, int limit) {
        this(executor, TimerThread.factory(name + "-timers"), limit, Math.min(DUE_PLACES, limit));
    }

    Timers(ExecutorCore executor, ThreadFactory factory, int limit, int duePlaces) {
        this.executor = executor;
        this.capacity = limit;
        this.admission = new PlaceCount(limit);
        this.due = new ManyToManyQueue<>(duePlaces);
        this.thread = new TimerThread(this, factory);
        this.wheel = new CombiningWheel(thread::wakeBefore);
    }

    /** Nanoseconds since this was created. */
    long now() {
        return wheel.now();
    }

    boolean isClosed() {
        return closed;
    }

    /** Returns whether nothing waits and nothing can come any more. */
    boolean isFinished() {
        return closed && admission.count() == 0;
    }

    int count() {
        return admission.count();
    }

    int capacity() {
        return capacity;
    }

    boolean hasDue() {
        return !due.isEmpty();
    }

    int dueCount() {
        return due.size();
    }

    @Nullable
    Runnable pollDue() {
        return due.relaxedPoll();
    }

    /**
     * Accepts a task that is due {@code delayNanos} from now, or returns null if there is no place or this was closed.
     */
    <V> @Nullable ScheduledTask<V> schedule(Callable<V> action, long delayNanos, long periodNanos) {
        if (!admission.tryAdmit()) {
            return null;
        }
        long delay = Math.clamp(delayNanos, 0, Long.MAX_VALUE >> 1);
        ScheduledTask<V> task = new ScheduledTask<>(this, action, ScheduledTask.unstamped(delay), periodNanos);
        boolean begun = false;
        try {
            thread.begin();
            begun = true;
        } finally {
            if (!begun) {
                settled();
            }
        }
        enter(task);
        return task;
    }

    /** Lets a new task wait until it is due, unless this was closed meanwhile. */
    final void enter(ScheduledTask<?> task) {
        wheel.add(task);
        leaveIfClosed(task);
    }

    /** Lets a periodic task wait for the next time. */
    final void enterAgain(ScheduledTask<?> task) {
        wheel.request(task);
        leaveIfClosed(task);
    }

    /**
     * What closes this looks at all tasks once; one that was added too late for that must leave by itself, if nobody
     * has taken it back.
     */
    void leaveIfClosed(ScheduledTask<?> task) {
        if (withdrawn ? task.settle() : closed && task.isPeriodic()) {
            task.cancel(false);
        }
    }

    /** A task has given its place back. */
    void settled() {
        if (admission.release()) {
            thread.wake();
            executor.wakeAll();
        }
    }

    /** Accepts no further tasks. */
    void close() {
        admission.close();
        closed = true;
        thread.wake();
    }

    /**
     * Cancels the periodic tasks, those that are due and wait for a worker included, and leaves the others; only after
     * {@link #close}. One that a worker has taken cancels itself.
     */
    void cancelPeriodic() {
        List<ScheduledTask<?>> all = new ArrayList<>();
        List<ScheduledTask<?>> waitForWorkers = new ArrayList<>();
        wheel.take();
        try {
            waitForWorkers.addAll(reached);
            for (Runnable entry : due) {
                if (LatencyProbe.peel(entry) instanceof ScheduledTask<?> task) {
                    waitForWorkers.add(task);
                }
            }
            wheel.tasks.removeAll(all);
        } finally {
            for (ScheduledTask<?> task : all) {
                wheel.tasks.reconcile(task);
            }
            wheel.giveUp();
        }
        all.addAll(waitForWorkers);
        for (ScheduledTask<?> task : all) {
            if (task.isPeriodic()) {
                task.cancel(false);
            }
        }
    }

    /** Takes back every task that no worker has taken; only after {@link #close}. */
    void withdrawAll(List<Runnable> target) {
        withdrawn = true;
        List<ScheduledTask<?>> waiting = new ArrayList<>();
        wheel.take();
        try {
            Runnable entry;
            while ((entry = due.poll()) != null) {
                waiting.add((ScheduledTask<?>) LatencyProbe.unwrap(entry));
            }
            waiting.addAll(reached);
            reached.clear();
            wheel.tasks.removeAll(waiting);
        } finally {
            wheel.giveUp();
        }
        waiting.sort(null);
        for (ScheduledTask<?> task : waiting) {
            if (task.settle() && !task.isDone()) {
                target.add(task);
            }
        }
        thread.wake();
    }

    /** Waits for the end of the thread, if it was started; only after {@link #close}. */
    void awaitEnd() {
        thread.awaitEnd();
    }

    /** Hands over what is due; returns whether some is left, since the workers have no place for it. */
    boolean round() {
        int handed;
        boolean isAnyLeft;
        wheel.take();
        try {
            wheel.tasks.advance(wheel.now(), reached);
            handed = handOver();
            isAnyLeft = !reached.isEmpty();
        } finally {
            wheel.attend();
            wheel.giveUp();
        }
        for (int i = 0; i < handed || isAnyLeft && i == 0; i++) {
            executor.wakeOne();
        }
        return isAnyLeft;
    }

    /** Returns how many were handed over. Only with the wheel. */
    private int handOver() {
        int handed = 0;
        ScheduledTask<?> task;
        while ((task = reached.peek()) != null && (task.isDone() || offer(task))) {
            reached.poll();
            handed++;
        }
        return handed;
    }

    final boolean offer(ScheduledTask<?> task) {
        Runnable entry = executor.probe.mayTake(task);
        if (due.offer(entry)) {
            return true;
        }
        LatencyProbe.unwrap(entry);
        return false;
    }
}
