package io.slipstream.ipc.file;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Runs work with a file channel on a thread of its own, since an interrupt of the caller's would close the channel and
 * free its locks.
 */
public final class Uninterrupted {
    private Uninterrupted() {}

    /** Work with a file. */
    @FunctionalInterface
    public interface Action<T extends @Nullable Object> {
        T run() throws IOException;
    }

    public static <T extends @Nullable Object> T call(Action<T> action) throws IOException {
        FutureTask<T> task = new FutureTask<>(action::run);
        Thread.ofPlatform().daemon().name("slipstream-ipc-file").start(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw rethrown(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static IOException rethrown(@Nullable Throwable cause) {
        return switch (cause) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case IOException e -> e;
            case null, default -> new IOException(cause);
        };
    }
}
