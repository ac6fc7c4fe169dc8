package io.slipstream.service.client;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;

/** What others let a thread do. Each action that is taken is carried out, also if the thread ends meanwhile. */
final class Actions {
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;

    /**
     * Adds one; any thread.
     *
     * @throws RejectedExecutionException if the thread has ended
     */
    void add(Runnable action) {
        waiting.add(action);
        // The thread may have looked for the last time in between.
        if (ended && waiting.remove(action)) {
            throw new RejectedExecutionException("the thread of clients was closed; start another one");
        }
    }

    /** Carries out all that are there, and returns how many; for the thread. */
    int carryOut() {
        int count = 0;
        for (Runnable next; (next = waiting.poll()) != null; count++) {
            try {
                next.run();
            } catch (RuntimeException | Error e) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }
        return count;
    }

    /** Carries out those that are there, and takes no others from now on; for the thread. */
    void end() {
        ended = true;
        carryOut();
    }
}
