package io.slipstream.core.executor;

import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;

/** All workers of an executor, and their threads. */
final class ExecutorWorkers {
    private final ExecutorWorker[] all;

    ExecutorWorkers(ExecutorCore executor, int count, WaitStrategy strategy, TaskQueues queues, ThreadFactory factory) {
        this.all = new ExecutorWorker[count];
        for (int i = 0; i < count; i++) {
            all[i] = new ExecutorWorker(executor, i, strategy, queues);
            all[i].thread(Objects.requireNonNull(factory.newThread(all[i]), "the thread factory returned null"));
        }
    }

    ExecutorWorker get(int number) {
        return all[number];
    }

    Signal[] signals() {
        Signal[] signals = new Signal[all.length];
        for (int i = 0; i < all.length; i++) {
            signals[i] = all[i].signal;
        }
        return signals;
    }

    void start() {
        for (ExecutorWorker worker : all) {
            worker.thread().start();
        }
    }

    void interrupt() {
        for (ExecutorWorker worker : all) {
            worker.thread().interrupt();
        }
    }

    boolean contains(Thread thread) {
        for (ExecutorWorker worker : all) {
            if (worker.thread() == thread) {
                return true;
            }
        }
        return false;
    }

    int active() {
        int active = 0;
        for (ExecutorWorker worker : all) {
            active += worker.isBusy() ? 1 : 0;
        }
        return active;
    }

    long completed() {
        long completed = 0;
        for (ExecutorWorker worker : all) {
            completed += worker.completed();
        }
        return completed;
    }

    long failed() {
        long failed = 0;
        for (ExecutorWorker worker : all) {
            failed += worker.failed();
        }
        return failed;
    }
}
