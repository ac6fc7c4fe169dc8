package io.slipstream.core.executor;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

import io.slipstream.core.thread.Patience;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waiting tasks of one key, in order: a linked list with many producers (Dmitry Vyukov, 2010), whose front moves by
 * compare-and-set (after Maged Michael and Michael Scott, 1996).
 *
 * <p>The number of pending tasks, which contains the one that runs, is also the lane's state. Who raises it from 0 must
 * hand the lane to the workers; the worker that has it runs tasks until it lowers the number to 0. So a lane is with at
 * most one worker. A retired lane accepts nothing. Nobody else lowers the number: who takes tasks back puts another one
 * in their place, or a gap that counts for as many.
 *
 * <pre>
 *   head ──▶ task ──▶ task ──▶ task     the head's own task was taken; who moves the head
 *                              tail     owns the tasks of the links that it passes
 * </pre>
 *
 * No link comes back after it was passed, so a head that is still the same has not moved meanwhile. Nobody waits but
 * for a link that another thread is about to add: one that it has counted already, or put at the tail already.
 */
class KeyLane {
    private static final VarHandle PENDING =
            fieldVarHandle(lookup(), "pending", VarHandle.class, KeyLane.class, long.class);
    private static final VarHandle TAIL = fieldVarHandle(lookup(), "tail", VarHandle.class, KeyLane.class, Link.class);
    private static final VarHandle HEAD = fieldVarHandle(lookup(), "head", VarHandle.class, KeyLane.class, Link.class);
    private static final long RETIRED = Long.MIN_VALUE;

    final Object key;
    volatile long pending;
    private volatile Link tail = new Link(null);

    /** The link before the first one. */
    volatile Link head = tail;

    /**
     * A task, or a gap. All but {@code next} belongs to whoever adds the link, and then to whoever moves the head to it
     * or beyond.
     */
    static final class Link {
        volatile @Nullable Link next;

        /** Null in a gap, and where it was taken. */
        @Nullable
        Runnable task;

        /** For how many of the pending tasks this stands: 1, and in a gap as many as were taken back. */
        int count = 1;

        Link(@Nullable Runnable task) {
            this.task = task;
        }

        @Nullable
        Runnable takeTask() {
            Runnable taken = task;
            task = null;
            return taken;
        }

        /** Returns the next link, which is there or about to be. */
        Link awaitNext() {
            Link following = next;
            for (int spins = 0; following == null; following = next) {
                spins = Patience.pause(spins);
            }
            return following;
        }
    }

    /** What became of an addition. */
    enum Added {
        FIRST,
        BEHIND_OTHERS,
        RETIRED
    }

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
    boolean run(ExecutorWorker worker, PlaceCount places, int limit) {
        for (int i = 0; i < limit; i++) {
            Link first = takePending();
            Runnable task = first.takeTask();
            if (task != null) {
                worker.released(places);
                worker.run(task);
            }
            if (lower(first.count)) {
                return false;
            }
        }
        return true;
    }

    /** Takes what was run, or is a gap, off the number of pending tasks; returns whether none is left. */
    boolean lower(int count) {
        return (long) PENDING.getAndAdd(this, (long) -count) == count;
    }

    /** Takes the first link off, which is there or about to be. */
    final Link takePending() {
        Link first = takeFirst();
        for (int spins = 0; first == null; first = takeFirst()) {
            spins = Patience.pause(spins);
        }
        return first;
    }

    private @Nullable Link takeFirst() {
        while (true) {
            Link before = head;
            Link first = before.next;
            if (first == null || moveHead(before, first)) {
                return first;
            }
        }
    }

    /** Moves the head unless another thread has moved it. */
    boolean moveHead(Link from, Link to) {
        return HEAD.compareAndSet(this, from, to);
    }

    /**
     * Takes the first task that was not begun back, and adds {@code task} in its place; returns null, and adds nothing,
     * if there is none.
     */
    @Nullable
    Runnable replaceFirst(Runnable task) {
        // Made before the first one is taken: if there is no memory for it, that one stays.
        Link link = new Link(task);
        Link first = takeFirst();
        if (first == null) {
            return null;
        }
        Runnable oldest = first.takeTask();
        if (oldest == null) {
            link.task = null;
            link.count = first.count;
        }
        append(link);
        return oldest;
    }

    /**
     * Takes all tasks back that were not begun; only when the executor accepts no more. They are taken in one step, so
     * none of them is begun behind another one that was taken back.
     */
    void withdrawAll(List<Runnable> target, PlaceCount places) {
        // Made before the tasks are taken, as a worker waits for it from then on.
        Link gap = new Link(null);
        Link before;
        Link last;
        do {
            before = head;
            last = tail;
            if (before == last) {
                return;
            }
        } while (!moveHead(before, last));
        int count = 0;
        for (Link link = before; link != last; ) {
            link = link.awaitNext();
            count += link.count;
            if (link.task != null) {
                places.release();
            }
        }
        gap.count = count;
        append(gap);
        collect(before, last, target);
    }

    private static void collect(Link before, Link last, List<Runnable> target) {
        for (Link link = before; link != last; ) {
            link = link.awaitNext();
            Runnable task = link.takeTask();
            if (task != null) {
                target.add(LatencyProbe.unwrap(task));
            }
        }
    }

    boolean retire() {
        return PENDING.compareAndSet(this, 0L, RETIRED);
    }
}
