package io.slipstream.benchmarks.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Runs the parts of a round on threads of their own that begin together. */
public final class Threads {
    private Threads() {}

    /**
     * Runs all parts and waits for them.
     *
     * @return nanoseconds from the common begin to the end of the last one
     * @throws Exception what a part has thrown
     */
    public static long race(List<? extends Callable<?>> parts) throws Exception {
        CountDownLatch ready = new CountDownLatch(parts.size());
        CountDownLatch go = new CountDownLatch(1);
        List<FutureTask<?>> tasks = new ArrayList<>();
        for (Callable<?> part : parts) {
            FutureTask<?> task = new FutureTask<>(() -> {
                ready.countDown();
                go.await();
                return part.call();
            });
            tasks.add(task);
            Thread.ofPlatform().daemon().start(task);
        }
        ready.await();
        long begin = System.nanoTime();
        go.countDown();
        for (FutureTask<?> task : tasks) {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
        return System.nanoTime() - begin;
    }
}
