package io.slipstream.core.thread;

import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Does something with files in a thread of its own and waits for it, whoever interrupts the caller. An interrupt would
 * close the channel that its thread uses, and hide what a force has failed with. For slow paths; any thread, which is
 * still interrupted afterwards if it was before.
 */
public final class Undisturbed {
    private Undisturbed() {}

    /** What is done. */
    @FunctionalInterface
    public interface Action<T extends @Nullable Object> {
        /** Does it. */
        T run() throws IOException;
    }

    /**
     * Does it and returns what it returns.
     *
     * @throws IOException as the action; unchecked exceptions and errors are thrown as they are, too
     */
    public static <T extends @Nullable Object> T call(Action<T> action) throws IOException {
        FutureTask<T> task = new FutureTask<>(action::run);
        Thread thread = Thread.ofPlatform().name("slipstream-undisturbed").start(task);
        join(thread);
        if (task.state() == Future.State.SUCCESS) {
            return task.resultNow();
        }
        switch (task.exceptionNow()) {
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IOException(e);
        }
    }

    /** Returns when a thread has ended, or was never started. An interrupt of the caller is kept until then. */
    public static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
