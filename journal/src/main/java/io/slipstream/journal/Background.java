package io.slipstream.journal;

import io.slipstream.journal.storage.BackgroundTasks;
import io.slipstream.journal.storage.Storage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs what need not hold the owner of a journal up, one task after another: where its storage says, in a thread of its
 * own, or at once.
 */
final class Background implements Executor, AutoCloseable {
    private final @Nullable BackgroundTasks tasks;
    private final @Nullable ExecutorService thread;
    private final AtomicInteger pending = new AtomicInteger();

    Background(Storage storage, boolean ownThread, String name) {
        tasks = storage.backgroundTasks(name);
        thread = tasks == null && ownThread
                // It takes nothing from the thread that happens to begin: its class loader may end before the journal.
                ? Executors.newSingleThreadExecutor(Thread.ofPlatform()
                        .name(name)
                        .daemon()
                        .inheritInheritableThreadLocals(false)
                        .factory())
                : null;
    }

    @Override
    public void execute(Runnable task) {
        Executor executor = tasks != null ? tasks : thread;
        if (executor == null) {
            task.run();
            return;
        }
        Runnable counted = counted(task);
        try {
            executor.execute(counted);
        } catch (RuntimeException | Error e) {
            // It was not taken.
            pending.decrementAndGet();
            throw e;
        }
    }

    /**
     * Runs a task that waits, if there is one and nobody else does; the owner calls this before it waits for the tasks.
     */
    boolean help() {
        return tasks != null && tasks.runOne();
    }

    private Runnable counted(Runnable task) {
        pending.incrementAndGet();
        return () -> {
            try {
                task.run();
            } finally {
                pending.decrementAndGet();
            }
        };
    }

    /** Returns whether all tasks are done. */
    boolean isIdle() {
        return pending.get() == 0;
    }

    /**
     * Waits until all tasks are done, whoever interrupts the caller: what is waiting to be forced must not be dropped.
     * None may follow.
     */
    @Override
    public void close() {
        while (help()) {
            // One after another, in the caller's thread.
        }
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
