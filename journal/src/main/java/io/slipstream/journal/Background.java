package io.slipstream.journal;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs what need not hold the owner of a journal up, one task after another: in a thread of its own, or at once. */
final class Background implements Executor, AutoCloseable {
    private final @Nullable ExecutorService thread;

    Background(boolean ownThread) {
        thread = ownThread
                ? Executors.newSingleThreadExecutor(Thread.ofPlatform().name("journal-background").daemon().factory())
                : null;
    }

    @Override
    public void execute(Runnable task) {
        if (thread == null) {
            task.run();
        } else {
            thread.execute(task);
        }
    }

    /** Waits until all tasks are done; none may follow. */
    @Override
    public void close() {
        if (thread != null) {
            thread.close();
        }
    }
}
