package io.slipstream.service.host;

import io.slipstream.core.thread.Worker;

/**
 * A task with a thread of its own.
 *
 * @param worker the thread
 */
public record WorkerTask(Worker worker) implements Host.Task {
    @Override
    public void start() {
        worker.start();
    }

    @Override
    public boolean isAlive() {
        return worker.isAlive();
    }

    @Override
    public void close() {
        worker.close();
    }
}
