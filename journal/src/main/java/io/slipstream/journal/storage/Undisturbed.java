package io.slipstream.journal.storage;

import java.io.IOException;
import java.util.concurrent.FutureTask;

/** Runs something in a thread of its own and waits for it, whoever interrupts the caller. For slow paths. */
final class Undisturbed {
    private Undisturbed() {}

    /** What is run. */
    interface Action<T> {
        T run() throws IOException;
    }

    static <T> T call(Action<T> action) throws IOException {
        FutureTask<T> task = new FutureTask<>(action::run);
        Thread thread = Thread.ofPlatform().name("journal-mapping").start(task);
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
        if (task.state() == FutureTask.State.SUCCESS) {
            return task.resultNow();
        }
        Throwable failure = task.exceptionNow();
        throw failure instanceof IOException known ? known : new IOException(failure);
    }
}
