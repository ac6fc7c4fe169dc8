package io.slipstream.core.queue;

import io.slipstream.core.thread.Signal;

import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The threads that sleep until there is an element, or room, in the order in which they came.
 *
 * <p>A thread enlists, arms its signal, looks once more, and only then sleeps; a waker changes the queue and then looks
 * here. With a full fence on either side at least one of them sees the other. Whoever was woken but leaves for another reason must
 * wake the next, as {@link Pause#end} tells it.
 */
final class Sleepers {
    private final ConcurrentLinkedQueue<Sleeper> waiting = new ConcurrentLinkedQueue<>();

    /** The signal of one waiting call; {@code listed} until a waker has chosen it. */
    static final class Sleeper extends Signal {
        volatile boolean listed;
    }

    void enlist(Sleeper sleeper) {
        sleeper.listed = true;
        waiting.add(sleeper);
    }

    /** Returns whether {@code sleeper} was still listed, so that no waker has chosen it. */
    boolean withdraw(Sleeper sleeper) {
        return waiting.remove(sleeper);
    }

    /** Wakes the one that has waited longest, if any. */
    void wakeOne() {
        VarHandle.fullFence();
        if (!waiting.isEmpty()) {
            Sleeper sleeper = waiting.poll();
            if (sleeper != null) {
                sleeper.listed = false;
                sleeper.wake();
            }
        }
    }
}
