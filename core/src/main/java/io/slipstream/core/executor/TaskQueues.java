package io.slipstream.core.executor;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queues of all workers, as submitters see them: one place to put a task into. Each worker has one queue for each
 * stripe.
 *
 * <p>The tasks of one worker alone keep the order of each submitter, so there a thread uses the queue that is its home
 * and no other. With several workers there is no order to keep, and a task goes wherever there is room.
 */
final class TaskQueues {
    private final TaskQueue[] all;
    private final int workers;
    private final int stripes;

    /**
     * Creates {@code stripes} queues for each of {@code workers}, with {@code places} places together, each rounded up
     * to a power of two.
     */
    TaskQueues(int workers, int stripes, int places) {
        this.workers = workers;
        this.stripes = stripes;
        this.all = new TaskQueue[workers * stripes];
        for (int i = 0; i < all.length; i++) {
            all[i] = new TaskQueue(Math.ceilDiv(places, all.length));
        }
    }

    /** Returns the queues of one worker. */
    TaskQueue[] of(int worker) {
        return Arrays.copyOfRange(all, worker * stripes, (worker + 1) * stripes);
    }

    /** Returns the queues of the workers after {@code worker}, nearest first. */
    TaskQueue[] others(int worker) {
        TaskQueue[] others = new TaskQueue[all.length - stripes];
        for (int i = 0; i < others.length; i++) {
            others[i] = all[((worker + 1) * stripes + i) % all.length];
        }
        return others;
    }

    /**
     * Returns the number of the queue that the calling thread prefers: threads that were made one after another do not
     * meet.
     */
    int home() {
        int count = all.length;
        return count == 1 ? 0 : (int) (Thread.currentThread().threadId() % count);
    }

    /** Returns the worker that has the queue of number {@code home}. */
    int worker(int home) {
        return home / stripes;
    }

    /** Adds a task, at {@code home} if possible, or returns false if there is no place or the queues were closed. */
    boolean offer(Runnable task, int home) {
        return all[home].offer(task) || workers > 1 && offerAnywhere(task, home);
    }

    /** The queue at home is full. */
    private boolean offerAnywhere(Runnable task, int home) {
        for (int i = 1; i < all.length; i++) {
            if (all[(home + i) % all.length].relaxedOffer(task)) {
                return true;
            }
        }
        for (int i = 0; i < all.length; i++) {
            if (all[(home + i) % all.length].offer(task)) {
                return true;
            }
        }
        return false;
    }

    /** Takes a task that is the first of its queue, or returns null if there is none. */
    @Nullable
    Runnable withdraw() {
        int home = home();
        for (int i = 0; i < all.length; i++) {
            Runnable task = all[(home + i) % all.length].poll();
            if (task != null) {
                return LatencyProbe.unwrap(task);
            }
        }
        return null;
    }

    /** Takes all tasks; only after {@link #close}. */
    void withdrawAll(List<Runnable> target) {
        for (TaskQueue queue : all) {
            queue.withdrawAll(target);
        }
    }

    boolean isEmpty() {
        for (TaskQueue queue : all) {
            if (!queue.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    int capacity() {
        int capacity = 0;
        for (TaskQueue queue : all) {
            capacity += queue.capacity();
        }
        return capacity;
    }

    int size() {
        int size = 0;
        for (TaskQueue queue : all) {
            size += queue.size();
        }
        return size;
    }

    /** Refuses every further task, for ever. */
    void close() {
        for (TaskQueue queue : all) {
            queue.close();
        }
    }

    /** Returns whether every queue refuses. */
    boolean isClosed() {
        return all[all.length - 1].isClosed();
    }
}
