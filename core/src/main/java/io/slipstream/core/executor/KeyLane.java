package io.slipstream.core.executor;

import io.slipstream.core.thread.Patience;
import org.jspecify.annotations.Nullable;

import java.lang.invoke.VarHandle;
import java.util.List;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

/**
 * The waiting tasks of one key, in order: a linked list with many producers (Dmitry Vyukov, 2010), from whose front one thread takes at a
 * time.
 *
 * <p>The number of pending tasks, which contains the one that runs, is also the lane's state. Who raises it from 0 must hand the lane to the
 * workers; the worker that has it runs tasks until it lowers the number to 0. So a lane is with at most one worker. A retired lane
 * accepts nothing. Nobody else lowers the number: who takes a task back puts another one in its place, or leaves the link empty.
 *
 * <p>The right to change the front is held for a few instructions, never while a task runs.
 */
class KeyLane {
    private static final VarHandle PENDING = fieldVarHandle(lookup(), "pending", VarHandle.class, KeyLane.class, long.class);
    private static final VarHandle TAIL = fieldVarHandle(lookup(), "tail", VarHandle.class, KeyLane.class, Link.class);
    private static final VarHandle RIGHT = fieldVarHandle(lookup(), "right", VarHandle.class, KeyLane.class, boolean.class);
    private static final long RETIRED = Long.MIN_VALUE;

    final Object key;
    volatile long pending;
    private volatile Link tail = new Link(null);
    private volatile boolean right;

    /** The link before the first one; belongs to whoever has the right. */
    private Link head = tail;

    private static final class Link {
        volatile @Nullable Link next;

        /** Null in the head, and where the task was withdrawn; belongs to whoever has the right. */
        @Nullable Runnable task;

        Link(@Nullable Runnable task) {
            this.task = task;
        }

        @Nullable Runnable takeTask() {
            Runnable taken = task;
            task = null;
            return taken;
        }
    }

    /** What became of an addition. */
    enum Added { FIRST, BEHIND_OTHERS, RETIRED }

    KeyLane(Object key) {
        this.key = key;
    }

    Added add(Runnable task) {
        // Made before it is counted: if there is no memory for it, nobody waits for it.
        Link link = new Link(task);
        long count;
        do {
            count = pending;
            if (count < 0) {
                return Added.RETIRED;
            }
        } while (!PENDING.compareAndSet(this, count, count + 1));
        append(link);
        return count == 0 ? Added.FIRST : Added.BEHIND_OTHERS;
    }

    private void append(Link link) {
        ((Link) TAIL.getAndSet(this, link)).next = link;
    }

    /**
     * Runs at most {@code limit} tasks, for the one worker that has this lane.
     *
     * @return whether tasks are left, so that the lane must go to a worker again
     */
    boolean run(ExecutorWorker worker, Admission places, int limit) {
        for (int i = 0; i < limit; i++) {
            Runnable task = takePending();
            if (task != null) {
                worker.released(places);
                worker.run(task);
            }
            if (lower()) {
                return false;
            }
        }
        return true;
    }

    /** Takes a task that was run off the number of pending ones; returns whether none is left. */
    boolean lower() {
        return (long) PENDING.getAndAdd(this, -1L) == 1L;
    }

    /** Takes the first link off, which is there or about to be; returns its task, or null if that was withdrawn. */
    final @Nullable Runnable takePending() {
        Link first = takeFirst();
        for (int spins = 0; first == null; first = takeFirst()) {
            spins = Patience.pause(spins);
        }
        return first.takeTask();
    }

    private @Nullable Link takeFirst() {
        acquireRight();
        Link first = head.next;
        if (first != null) {
            head = first;
        }
        releaseRight();
        return first;
    }

    /** Takes the first task that was not begun back, and adds {@code task} in its place; returns null, and adds nothing, if there is none. */
    @Nullable Runnable replaceFirst(Runnable task) {
        acquireRight();
        try {
            Link first = head.next;
            if (first == null || first.task == null) {
                return null;
            }
            append(new Link(task));
            head = first;
            return first.takeTask();
        } finally {
            releaseRight();
        }
    }

    /** Takes all tasks back that were not begun; only when the executor accepts no more. */
    void withdrawAll(List<Runnable> target, Admission places) {
        acquireRight();
        try {
            for (Link link = head.next; link != null; link = link.next) {
                Runnable task = link.takeTask();
                if (task != null) {
                    target.add(LatencyProbe.unwrap(task));
                    places.release();
                }
            }
        } finally {
            releaseRight();
        }
    }

    boolean retire() {
        return PENDING.compareAndSet(this, 0L, RETIRED);
    }

    void acquireRight() {
        int spins = 0;
        while (!RIGHT.compareAndSet(this, false, true)) {
            spins = Patience.pause(spins);
        }
    }

    private void releaseRight() {
        RIGHT.setRelease(this, false);
    }
}
