package io.slipstream.core.executor;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * An executor with a limited number of places for waiting tasks, which can be asked instead of told.
 *
 * <p>{@link #execute} applies the executor's {@link RejectionPolicy} when there is no place; the other methods answer.
 */
public interface BoundedExecutor extends Executor {
    /** Accepts {@code task} and returns true, or returns false if there is no place or the executor was shut down. */
    boolean tryExecute(Runnable task);

    /**
     * Accepts {@code task}, waiting at most {@code limit} for a place. Returns false if there was none in time, if the
     * executor was shut down, or at once if the caller is a worker of this executor, since it would wait for itself.
     *
     * @throws InterruptedException if the thread was interrupted while it waited
     */
    boolean tryExecute(Runnable task, Duration limit) throws InterruptedException;

    /**
     * Accepts {@code task}; where there is no place for it, in that of the one that has waited longest and was not
     * begun, which then goes to {@code replaced} and is not run. Where tasks are ordered that is the first of those
     * which are ordered with it. With several workers it is the first of one of their queues. Others that submit at the
     * same time may take that place, and then one more is replaced.
     *
     * <p>Returns false if there is neither a place nor such a task, since all places are with others, or if the
     * executor was shut down.
     */
    boolean tryReplaceOldest(Runnable task, Consumer<? super Runnable> replaced);

    /** Returns whether new tasks are refused for ever. */
    boolean isShutdown();

    /**
     * Returns whether the calling thread is a worker of this executor, which never waits for a place, as it would wait
     * for itself.
     */
    boolean isWorker();

    /**
     * Returns whether tasks run one at a time in the order of their submission, so that none may run in its submitter's
     * thread.
     */
    boolean isOrdered();
}
