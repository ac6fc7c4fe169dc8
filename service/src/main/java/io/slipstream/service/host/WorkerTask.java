package io.slipstream.service.host;

import io.slipstream.core.thread.Worker;
import java.util.concurrent.locks.LockSupport;

/**
 * A task with a thread of its own.
 *
 * @param worker the thread
 */
public record WorkerTask(Worker worker) implements Host.Task {
    private static final long PAUSE_NANOS = 1_000_000;

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

    @Override
    public boolean end(long nanos) {
        worker.stop();
        long begin = System.nanoTime();
        while (worker.isAlive() && !worker.isCurrentThread() && System.nanoTime() - begin < nanos) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return !worker.isAlive() || worker.isCurrentThread();
    }
}
