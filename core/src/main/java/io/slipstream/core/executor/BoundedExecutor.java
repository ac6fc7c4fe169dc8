package io.slipstream.core.executor;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * An executor with a limited number of places for waiting tasks, which can be asked instead of told.
 *
 * <p>{@link #execute} applies the executor's {@link RejectionPolicy} when there is no place; the other methods answer.
 */
public interface BoundedExecutor extends Executor {
    /** Accepts {@code task} and returns true, or returns false if there is no place or the executor was shut down. */
    boolean tryExecute(Runnable task);

    /**
     * Accepts {@code task}, waiting at most {@code limit} for a place. Returns false if there was none in time, if the executor
     * was shut down, or at once if the caller is a worker of this executor, since it would wait for itself.
     *
     * @throws InterruptedException if the thread was interrupted while it waited
     */
    boolean tryExecute(Runnable task, Duration limit) throws InterruptedException;

    /** Takes the task back that has waited longest and was not begun, or returns null if there is none. */
    @Nullable Runnable withdrawOldest();

    /** Returns whether new tasks are refused for ever. */
    boolean isShutdown();

    /** Returns whether tasks run one at a time in the order of their submission, so that none may run in its submitter's thread. */
    boolean isOrdered();
}
