package io.slipstream.core.executor;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.VarHandle;
import java.util.List;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

/**
 * The waiting tasks of one key, in order: a linked list with many producers and one consumer (Dmitry Vyukov, 2010).
 *
 * <p>The number of pending tasks is also the lane's state. Who raises it from 0 must hand the lane to the workers; the worker that
 * has it runs tasks until it lowers the number to 0. So a lane is with at most one worker. A retired lane accepts nothing.
 */
final class KeyLane {
    private static final VarHandle PENDING = fieldVarHandle(lookup(), "pending", VarHandle.class, KeyLane.class, long.class);
    private static final VarHandle TAIL = fieldVarHandle(lookup(), "tail", VarHandle.class, KeyLane.class, Node.class);
    private static final VarHandle TASK = fieldVarHandle(lookup(), "task", VarHandle.class, Node.class, Runnable.class);
    private static final long RETIRED = Long.MIN_VALUE;

    final Object key;
    private volatile long pending;
    private volatile Node head = new Node(null);
    private volatile Node tail = head;

    private static final class Node {
        volatile @Nullable Node next;
        volatile @Nullable Runnable task;

        Node(@Nullable Runnable task) {
            this.task = task;
        }

        /** A task goes to whoever takes it first: the worker, or one that withdraws it. */
        @Nullable Runnable takeTask() {
            return task == null ? null : (Runnable) TASK.getAndSet(this, null);
        }
    }

    /** What became of an addition. */
    enum Added { FIRST, BEHIND_OTHERS, RETIRED }

    KeyLane(Object key) {
        this.key = key;
    }

    Added add(Runnable task) {
        long count;
        do {
            count = pending;
            if (count < 0) {
                return Added.RETIRED;
            }
        } while (!PENDING.compareAndSet(this, count, count + 1));
        Node node = new Node(task);
        ((Node) TAIL.getAndSet(this, node)).next = node;
        return count == 0 ? Added.FIRST : Added.BEHIND_OTHERS;
    }

    /**
     * Runs at most {@code limit} tasks, for the one worker that has this lane.
     *
     * @return whether tasks are left, so that the lane must go to a worker again
     */
    boolean run(ExecutorWorker worker, Admission admission, int limit) {
        for (int i = 0; i < limit; i++) {
            Node next;
            while ((next = head.next) == null) {
                Thread.onSpinWait();
            }
            head = next;
            Runnable task = next.takeTask();
            if (task != null) {
                worker.run(task);
                worker.released(admission);
            }
            if ((long) PENDING.getAndAdd(this, -1L) == 1L) {
                return false;
            }
        }
        return true;
    }

    /** Takes the first task that was not begun, or null. */
    @Nullable Runnable withdrawFirst() {
        for (Node node = head; node != null; node = node.next) {
            Runnable task = node.takeTask();
            if (task != null) {
                return task;
            }
        }
        return null;
    }

    /** Takes all tasks that were not begun. */
    void withdrawAll(List<Runnable> target, Admission admission) {
        Runnable task;
        while ((task = withdrawFirst()) != null) {
            target.add(task);
            admission.release();
        }
    }

    boolean retire() {
        return PENDING.compareAndSet(this, 0L, RETIRED);
    }
}
