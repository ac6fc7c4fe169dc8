package io.slipstream.core.executor;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;

/** The tasks of one key; any number of these may stand for the same key. */
final class KeyedExecutor implements BoundedExecutor {
    private final LockFreeExecutor executor;
    private final Object key;

    KeyedExecutor(LockFreeExecutor executor, Object key) {
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
        Objects.requireNonNull(task, "task");
        if (!executor.lanes.tryAdd(key, task)) {
            return false;
        }
        executor.wakeOne();
        return true;
    }

    @Override
    public boolean tryExecute(Runnable task, Duration limit) throws InterruptedException {
        Objects.requireNonNull(task, "task");
        return executor.submission.await(() -> tryExecute(task), executor::isRefusing, limit);
    }

    @Override
    public @Nullable Runnable withdrawOldest() {
        return executor.lanes.withdrawOldest(key);
    }

    @Override
    public boolean isShutdown() {
        return executor.isShutdown();
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
