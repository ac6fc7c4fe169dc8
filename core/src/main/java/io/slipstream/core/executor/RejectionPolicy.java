package io.slipstream.core.executor;

import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;

/**
 * What becomes of a task for which a {@link BoundedExecutor} has no place, or that comes after its shutdown.
 *
 * <p>The policies of {@code ThreadPoolExecutor} are here, with one difference: where they drop what came through
 * {@code submit} or {@code invokeAll}, or a plain {@link FutureTask}, they cancel it too, so that nobody waits for it
 * for ever. Nothing tells those who wait for other tasks that were dropped: {@code invokeAny} without a limit, an
 * {@code ExecutorCompletionService} or a {@code CompletableFuture} then waits for ever, as with the JDK's executors. A
 * limit of time is always kept.
 */
@FunctionalInterface
public interface RejectionPolicy {
    /**
     * Deals with {@code task}, on the thread that has submitted it.
     *
     * @throws RejectedExecutionException if the submitter must be told
     */
    void rejected(Runnable task, BoundedExecutor executor);

    /** Throws {@link RejectedExecutionException}. */
    static RejectionPolicy abort() {
        return (task, executor) -> {
            throw refused(task, executor, "");
        };
    }

    /**
     * Runs the task in its submitter's thread; drops it after shutdown. Where tasks are ordered that would overtake
     * others, so there the submitter waits for a place instead, as long as it takes, and
     * {@link RejectedExecutionException} is thrown on interruption (whose flag stays set), if the executor is shut down
     * meanwhile, and at once on a worker of the same executor.
     */
    static RejectionPolicy callerRuns() {
        return (task, executor) -> {
            if (executor.isShutdown()) {
                drop(task);
            } else if (executor.isOrdered()) {
                await(task, executor, Duration.ofNanos(Long.MAX_VALUE));
            } else {
                task.run();
            }
        };
    }

    /** Drops the task. */
    static RejectionPolicy discard() {
        return (task, executor) -> drop(task);
    }

    /**
     * Drops the task that has waited longest and accepts this one, as {@link BoundedExecutor#tryReplaceOldest} says.
     * Drops this one after shutdown, and if none of its key waits while other keys have all the places.
     */
    static RejectionPolicy discardOldest() {
        return (task, executor) -> {
            if (!executor.tryReplaceOldest(task, RejectionPolicy::drop)) {
                drop(task);
            }
        };
    }

    /**
     * Waits for a place, at most {@code limit}, and throws {@link RejectedExecutionException} if there was none in
     * time, on interruption (whose flag stays set), and at once on a worker of the same executor, which would wait for
     * itself.
     *
     * @throws IllegalArgumentException if the limit is negative
     */
    static RejectionPolicy waitAtMost(Duration limit) {
        if (limit.isNegative()) {
            throw new IllegalArgumentException("a submitter waits for no time or longer, not for " + limit);
        }
        return (task, executor) -> await(task, executor, limit);
    }

    private static void await(Runnable task, BoundedExecutor executor, Duration limit) {
        try {
            if (!executor.tryExecute(task, limit)) {
                throw refused(
                        task,
                        executor,
                        executor.isWorker() && !executor.isShutdown()
                                ? ", and its own worker, which submits this, would wait for itself (give it more"
                                        + " places, or submit from another thread)"
                                : ", also after waiting as far as allowed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RejectedExecutionException("interrupted while " + task + " waited for a place in " + executor, e);
        }
    }

    /**
     * Futures of other classes may take their cancellation for a result, as those do through which {@code invokeAny}
     * waits.
     */
    private static void drop(Runnable task) {
        if (task.getClass() == FutureTask.class) {
            ((FutureTask<?>) task).cancel(false);
        }
    }

    private static RejectedExecutionException refused(Runnable task, BoundedExecutor executor, String addition) {
        String reason = executor.isShutdown() ? " was shut down" : " has no place left";
        return new RejectedExecutionException(executor + reason + addition + "; refused: " + task);
    }
}
