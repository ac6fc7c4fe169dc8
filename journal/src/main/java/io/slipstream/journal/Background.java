package io.slipstream.journal;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs what need not hold the owner of a journal up, one task after another: in a thread of its own, or at once. */
final class Background implements Executor, AutoCloseable {
    private final @Nullable ExecutorService thread;
    private final AtomicInteger pending = new AtomicInteger();

    Background(boolean ownThread, String name) {
        thread = ownThread ? Executors.newSingleThreadExecutor(Thread.ofPlatform().name(name).daemon().factory()) : null;
    }

    @Override
    public void execute(Runnable task) {
        if (thread == null) {
            task.run();
        } else {
            pending.incrementAndGet();
            thread.execute(() -> {
                try {
                    task.run();
                } finally {
                    pending.decrementAndGet();
                }
            });
        }
    }

    /** Returns whether all tasks are done. */
    boolean isIdle() {
        return pending.get() == 0;
    }

    /** Waits until all tasks are done; none may follow. */
    @Override
    public void close() {
        if (thread != null) {
            thread.close();
        }
    }
}
