package io.slipstream.core.executor;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The life of an executor: it runs, is shut down or stopped, and is terminated when the last of its workers has ended.
 */
class Lifecycle {
    private static final int RUNNING = 0;
    private static final int SHUTDOWN = 1;
    private static final int STOP = 2;

    final AtomicInteger living;
    private final AtomicInteger state = new AtomicInteger(RUNNING);
    private final CountDownLatch terminated = new CountDownLatch(1);

    /** Begins the life of an executor of so many workers. */
    Lifecycle(int workers) {
        this.living = new AtomicInteger(workers);
    }

    /** Runs what was accepted, and then ends. */
    void shutdown() {
        state.compareAndSet(RUNNING, SHUTDOWN);
    }

    /** Begins nothing any more, and ends. */
    void stop() {
        state.set(STOP);
    }

    /** Returns whether the end was begun; entrances may be open for a few more instructions. */
    boolean isEnding() {
        return state.get() >= SHUTDOWN;
    }

    boolean isStopping() {
        return state.get() == STOP;
    }

    /** A worker has ended; returns whether it was the last one, which then must {@link #terminate}. */
    boolean leave() {
        return living.decrementAndGet() == 0;
    }

    void terminate() {
        terminated.countDown();
    }

    boolean isTerminated() {
        return terminated.getCount() == 0;
    }

    boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return terminated.await(timeout, unit);
    }
}
