package io.slipstream.journal;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
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

    /**
     * Waits until all tasks are done, whoever interrupts the caller: what is waiting to be forced must not be dropped. None may follow.
     */
    @Override
    public void close() {
        if (thread == null) {
            return;
        }
        thread.shutdown();
        boolean interrupted = false;
        while (!thread.isTerminated()) {
            try {
                thread.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
