package io.slipstream.core.executor;

import io.slipstream.core.memory.CacheLine;
import io.slipstream.core.thread.Signal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Which workers rest. A submitter looks at one number, and while nobody rests that is all it pays.
 *
 * <p>A worker enters, arms its signal, looks once more for work and then sleeps. A submitter first makes its task
 * visible by an atomic update and then looks here. All these are volatile, so at least one of them sees the other, and
 * no wake-up is lost. Each waker takes one worker out, so that two tasks wake two workers.
 *
 * <p>A worker is counted before it is listed, and taken off the list before it is discounted. So the number is never
 * less than those on the list, and who reads 0 passes over nobody. A waker that reads more than it finds listed does no
 * harm: who is about to be listed looks for work after that.
 */
class IdleSet {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    /** Cells as far apart as hot fields must be. */
    private static final int STRIDE = CacheLine.PADDING_BYTES / Long.BYTES;

    static final int COUNT = STRIDE;

    private final Signal[] signals;
    final long[] cells;

    IdleSet(Signal[] signals) {
        this.signals = signals.clone();
        this.cells = new long[(signals.length + 3) * STRIDE];
    }

    static int flag(int worker) {
        return (worker + 2) * STRIDE;
    }

    boolean isEmpty() {
        return (long) CELL.getVolatile(cells, COUNT) == 0L;
    }

    void enter(int worker) {
        count(1L);
        list(worker);
    }

    final void count(long change) {
        CELL.getAndAdd(cells, COUNT, change);
    }

    final void list(int worker) {
        CELL.setVolatile(cells, flag(worker), 1L);
    }

    boolean contains(int worker) {
        return (long) CELL.getVolatile(cells, flag(worker)) == 1L;
    }

    /** Takes the worker out; returns false if it was not in any more. */
    boolean leave(int worker) {
        if (!takeOff(worker)) {
            return false;
        }
        count(-1L);
        return true;
    }

    private boolean takeOff(int worker) {
        return CELL.compareAndSet(cells, flag(worker), 1L, 0L);
    }

    /** Wakes one resting worker, {@code preferred} if it rests. */
    void wakeOne(int preferred) {
        int count = signals.length;
        for (int i = 0; i < count; i++) {
            int worker = (preferred + i) % count;
            if (contains(worker) && takeOff(worker)) {
                try {
                    signals[worker].wake();
                    count(-1L);
                } catch (StackOverflowError e) {
                    // It may sleep on, so it is listed again: without a call, as there is no stack for one.
                    cells[(worker + 2) * STRIDE] = 1L;
                    throw e;
                }
                return;
            }
        }
    }

    void wakeAll() {
        for (int worker = 0; worker < signals.length; worker++) {
            leave(worker);
            signals[worker].wake();
        }
    }
}
