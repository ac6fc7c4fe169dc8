package io.slipstream.core.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.thread.WaitStrategy;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What holds however many tasks come: nothing is lost, allocated, or used up while there are none. */
class ExecutorStressTest {
    private static final Set<Thread.State> PARKED = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private static final int TASKS_MEASURED = 400_000;

    @Test
    void losesNoWakeUpWhenTasksComeOneByOne() throws Exception {
        try (LockFreeExecutor executor = LockFreeExecutor.builder()
                .workers(2)
                .waitStrategy(new WaitStrategy(0, 0, 60_000_000_000L, 60_000_000_000L, true))
                .build()) {
            for (int i = 0; i < 10_000; i++) {
                executor.submit(() -> {}).get(20, TimeUnit.SECONDS);
            }
            for (int i = 0; i < 10_000; i++) {
                CountDownLatch done = new CountDownLatch(2);
                executor.execute(done::countDown);
                executor.forKey(i % 3).execute(done::countDown);
                assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void endsAtOnceThoughItsWorkersSleepForAMinute() throws Exception {
        for (int i = 0; i < 200; i++) {
            LockFreeExecutor executor = LockFreeExecutor.builder()
                    .workers(3)
                    .waitStrategy(new WaitStrategy(0, 0, 60_000_000_000L, 60_000_000_000L, true))
                    .build();
            for (int task = 0; task < 5; task++) {
                executor.forKey(task).execute(() -> {});
                executor.execute(() -> {});
            }
            executor.schedule(() -> {}, 100, TimeUnit.MICROSECONDS);
            executor.shutdown();
            assertThat(executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void allocatesNothingToExecuteATaskMadeBefore() throws Exception {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            AtomicInteger runs = new AtomicInteger();
            Runnable task = runs::incrementAndGet;
            assertThat(bytesFor(TASKS_MEASURED, executor, executor, task, runs)).isLessThan(50_000);
            Duration limit = Duration.ofSeconds(20);
            assertThat(bytesFor(TASKS_MEASURED, executor, each -> executeWithin(executor, limit, each), task, runs))
                    .isLessThan(50_000);
        }
    }

    /* What the promise to allocate nothing leaves out; a link has a header and two references. */
    @Test
    void allocatesOneLinkForATaskOfAKey() throws Exception {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            AtomicInteger runs = new AtomicInteger();
            long bytes = bytesFor(TASKS_MEASURED, executor, executor.forKey("key"), runs::incrementAndGet, runs);
            assertThat(bytes).isBetween(16L * TASKS_MEASURED, 32L * TASKS_MEASURED + 50_000);
        }
    }

    private static void executeWithin(LockFreeExecutor executor, Duration limit, Runnable task) {
        try {
            if (!executor.tryExecute(task, limit)) {
                throw new AssertionError("no place");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns what the submitter and the worker allocate together for {@code count} tasks, after a warm-up. */
    private static long bytesFor(
            int count, LockFreeExecutor executor, Executor target, Runnable task, AtomicInteger runs) throws Exception {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] ids = {
            Thread.currentThread().threadId(),
            executor.submit(() -> Thread.currentThread().threadId()).get()
        };
        run(target, task, runs, count / 2);
        long before = LongStream.of(threads.getThreadAllocatedBytes(ids)).sum();
        run(target, task, runs, count);
        return LongStream.of(threads.getThreadAllocatedBytes(ids)).sum() - before;
    }

    /** Lets the tasks run before there are so many that one would be rejected. */
    private static void run(Executor target, Runnable task, AtomicInteger runs, int count) {
        runs.set(0);
        for (int i = 1; i <= count; i++) {
            target.execute(task);
            while (i % 10_000 == 0 && runs.get() < i) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void usesNoProcessorWhileItIsIdle() throws Exception {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (LockFreeExecutor executor = LockFreeExecutor.builder().workers(2).build()) {
            Thread worker = executor.submit(Thread::currentThread).get();
            while (!PARKED.contains(worker.getState())) {
                Thread.onSpinWait();
            }
            long before = threads.getThreadCpuTime(worker.threadId());
            executor.schedule(() -> {}, 200, TimeUnit.MILLISECONDS).get();
            assertThat(threads.getThreadCpuTime(worker.threadId()) - before).isLessThan(40_000_000);
        }
    }
}
