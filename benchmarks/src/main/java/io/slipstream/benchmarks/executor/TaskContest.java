package io.slipstream.benchmarks.executor;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.benchmarks.suite.Threads;
import io.slipstream.core.memory.PaddedLong;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Tiny tasks, made before, from several submitters; the round ends when all have run. Each counts its runs, so that
 * none is missing: where one thread runs them all, by a plain addition, which leaves the executor most of the time that
 * is measured. Both competitors get equally many.
 */
final class TaskContest implements Contest {
    private final Supplier<? extends ExecutorService> ours;
    private final Supplier<? extends ExecutorService> peer;
    private final int submitters;
    private final int tasks;
    private final boolean runByOneThread;
    private final LongAdder sharedRuns = new LongAdder();
    private final PaddedLong runs = new PaddedLong(0);

    TaskContest(
            Supplier<? extends ExecutorService> ours,
            Supplier<? extends ExecutorService> peer,
            int submitters,
            int tasks,
            boolean runByOneThread) {
        this.ours = ours;
        this.peer = peer;
        this.submitters = submitters;
        this.tasks = tasks;
        this.runByOneThread = runByOneThread;
    }

    @Override
    public double ours() throws Exception {
        return run(ours.get());
    }

    @Override
    public double peer() throws Exception {
        return run(peer.get());
    }

    /** Returns millions of tasks a second. */
    private double run(ExecutorService executor) throws Exception {
        sharedRuns.reset();
        runs.setRelease(0);
        int perSubmitter = tasks / submitters;
        long all = (long) submitters * perSubmitter;
        List<Callable<?>> parts = new ArrayList<>();
        for (int i = 0; i < submitters; i++) {
            Runnable task = runByOneThread ? () -> runs.setRelease(runs.getPlain() + 1) : sharedRuns::increment;
            parts.add(() -> {
                for (int n = 0; n < perSubmitter; n++) {
                    executor.execute(task);
                }
                return null;
            });
        }
        try (executor) {
            long submitting = Threads.race(parts);
            long begin = System.nanoTime();
            executor.shutdown();
            executor.awaitTermination(1, TimeUnit.MINUTES);
            long nanos = submitting + System.nanoTime() - begin;
            if (done() != all) {
                throw new IllegalStateException(done() + " tasks were run instead of " + all);
            }
            return all * 1_000.0 / nanos;
        }
    }

    private long done() {
        return runByOneThread ? runs.getAcquire() : sharedRuns.sum();
    }
}
