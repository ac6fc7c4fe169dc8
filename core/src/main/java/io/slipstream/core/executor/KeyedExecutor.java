package io.slipstream.core.executor;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/** The tasks of one key; any number of these may stand for the same key. */
final class KeyedExecutor implements BoundedExecutor {
    private final ExecutorCore executor;
    private final Object key;

    KeyedExecutor(ExecutorCore executor, Object key) {
        this.executor = executor;
        this.key = Objects.requireNonNull(key, "key");
    }

    @Override
    public void execute(Runnable task) {
        if (!tryExecute(task)) {
            executor.reject(task, this);
        }
    }

    @Override
    public boolean tryExecute(Runnable task) {
        Runnable entry = executor.probe.mayTake(Objects.requireNonNull(task, "task"));
        boolean added;
        try {
            added = executor.lanes.tryAdd(key, entry);
        } catch (Throwable e) {
            LatencyProbe.unwrap(entry);
            executor.wakeAll();
            throw e;
        }
        if (added) {
            executor.wakeOne();
        } else {
            LatencyProbe.unwrap(entry);
        }
        return added;
    }

    @Override
    public boolean tryExecute(Runnable task, Duration limit) throws InterruptedException {
        Objects.requireNonNull(limit, "limit");
        return tryExecute(task) || executor.submission.await(() -> tryExecute(task), executor::isRefusing, limit);
    }

    @Override
    public boolean tryReplaceOldest(Runnable task, Consumer<? super Runnable> replaced) {
        Objects.requireNonNull(replaced, "replaced");
        if (tryExecute(task)) {
            return true;
        }
        Runnable oldest = isShutdown() ? null : executor.lanes.replaceFirst(key, task);
        if (oldest == null) {
            return false;
        }
        replaced.accept(LatencyProbe.unwrap(oldest));
        return true;
    }

    @Override
    public boolean isShutdown() {
        return executor.isShutdown();
    }

    @Override
    public boolean isWorker() {
        return executor.isWorker();
    }

    @Override
    public boolean isOrdered() {
        return true;
    }

    @Override
    public String toString() {
        return executor + " for key " + key;
    }
}
