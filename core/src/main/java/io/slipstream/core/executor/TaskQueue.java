package io.slipstream.core.executor;

import io.slipstream.core.queue.ManyToOneQueue;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Patience;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waiting tasks of one worker, from which other threads may take as well, one at a time.
 *
 * <p>The right to take is held for the taking alone, never while a task runs. Who finds it taken goes on with something
 * else; for the worker, whose line it stays on, it costs one uncontended compare-and-set. In return the tasks lie in a
 * plain array without stamps, so that few cache lines move between submitter and worker.
 */
final class TaskQueue {
    private static final long FREE = 0;
    private static final long TAKING = 1;

    private final ManyToOneQueue<Runnable> tasks;
    private final Sequence right = new Sequence(FREE);

    TaskQueue(int capacity) {
        this.tasks = new ManyToOneQueue<>(capacity);
    }

    /** Adds a task, or returns false if there is no place or the queue was closed. */
    boolean offer(Runnable task) {
        return tasks.offer(task);
    }

    /** Adds a task unless there is no place, the queue was closed, or another submitter was faster. */
    boolean relaxedOffer(Runnable task) {
        return tasks.relaxedOffer(task);
    }

    /** Takes the first task, or returns null if there is none or another thread is taking one just now. */
    @Nullable
    Runnable relaxedPoll() {
        if (!right.compareAndSet(FREE, TAKING)) {
            return null;
        }
        Runnable task = tasks.relaxedPoll();
        right.setRelease(FREE);
        return task;
    }

    /** Takes the first task, or returns null if there is none. */
    @Nullable
    Runnable poll() {
        acquireRight();
        Runnable task = tasks.poll();
        right.setRelease(FREE);
        return task;
    }

    /** Takes all tasks at once, so that none is begun behind one that was taken back; only after {@link #close}. */
    void withdrawAll(List<Runnable> target) {
        acquireRight();
        try {
            Runnable task;
            while ((task = tasks.poll()) != null) {
                target.add(LatencyProbe.unwrap(task));
            }
        } finally {
            right.setRelease(FREE);
        }
    }

    private void acquireRight() {
        int spins = 0;
        while (!right.compareAndSet(FREE, TAKING)) {
            spins = Patience.pause(spins);
        }
    }

    boolean isEmpty() {
        return tasks.isEmpty();
    }

    int size() {
        return tasks.size();
    }

    int capacity() {
        return tasks.capacity();
    }

    void close() {
        tasks.close();
    }

    boolean isClosed() {
        return tasks.isClosed();
    }
}
