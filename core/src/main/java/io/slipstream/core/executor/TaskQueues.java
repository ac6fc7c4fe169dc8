package io.slipstream.core.executor;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The queues of all workers, as submitters see them: one place to put a task into, wherever there is room. */
final class TaskQueues {
    private final TaskQueue[] all;

    /** Creates {@code count} queues that have {@code places} places together, each rounded up to a power of two. */
    TaskQueues(int count, int places) {
        this.all = new TaskQueue[count];
        for (int i = 0; i < count; i++) {
            all[i] = new TaskQueue(Math.max(1, places / count));
        }
    }

    /** Returns the queues, one for each worker; not a copy. */
    TaskQueue[] each() {
        return all;
    }

    /** Returns the number of the queue that the calling thread prefers, so that submitters seldom meet. */
    int home() {
        int count = all.length;
        if (count == 1) {
            return 0;
        }
        int mixed = (int) (Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L >>> 33);
        return mixed % count;
    }

    /** Adds a task, at {@code home} if possible, or returns false if there is no place or the queues were closed. */
    boolean offer(Runnable task, int home) {
        TaskQueue[] queues = all;
        if (queues.length == 1) {
            return queues[0].offer(task);
        }
        return queues[home].relaxedOffer(task) || offerAnywhere(task, home);
    }

    /** The queue at home is full, or another submitter was faster: then both are better off with different ones. */
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
    @Nullable Runnable withdraw() {
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
            Runnable task;
            while ((task = queue.poll()) != null) {
                target.add(LatencyProbe.unwrap(task));
            }
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
