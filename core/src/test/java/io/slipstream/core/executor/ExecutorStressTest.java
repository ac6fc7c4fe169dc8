package io.slipstream.core.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Allocations;
import io.slipstream.testkit.Await;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What holds however many tasks come: nothing is lost, allocated, or used up while there are none. */
class ExecutorStressTest {
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
    private static final int TASKS_MEASURED = 200_000;
    private static final long NOISE_BYTES = 50_000;

    @Test
    void losesNoWakeUpWhenTasksComeOneByOne() throws Exception {
        try (LockFreeExecutor executor = LockFreeExecutor.builder()
                .workers(2)
                .waitStrategy(new WaitStrategy(0, 0, HOUR_NANOS, HOUR_NANOS, true))
                .build()) {
            for (int i = 0; i < 10_000; i++) {
                Await.done(executor.submit(() -> {}));
            }
            for (int i = 0; i < 10_000; i++) {
                CountDownLatch done = new CountDownLatch(2);
                executor.execute(done::countDown);
                executor.forKey(i % 3).execute(done::countDown);
                Await.done(done);
            }
        }
    }

    @Test
    void endsAtOnceThoughItsWorkersSleepForAnHour() throws Exception {
        for (int i = 0; i < 200; i++) {
            LockFreeExecutor executor = LockFreeExecutor.builder()
                    .workers(3)
                    .waitStrategy(new WaitStrategy(0, 0, HOUR_NANOS, HOUR_NANOS, true))
                    .build();
            for (int task = 0; task < 5; task++) {
                executor.forKey(task).execute(() -> {});
                executor.execute(() -> {});
            }
            executor.schedule(() -> {}, 100, TimeUnit.MICROSECONDS);
            executor.shutdown();
            Await.ended(executor);
        }
    }

    @Test
    void allocatesNothingToExecuteATaskMadeBefore() throws Exception {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            AtomicInteger runs = new AtomicInteger();
            Runnable task = runs::incrementAndGet;
            assertThat(leastBytes(NOISE_BYTES, executor, executor, task, runs)).isLessThanOrEqualTo(NOISE_BYTES);
            Duration limit = Await.PATIENCE;
            assertThat(leastBytes(NOISE_BYTES, executor, each -> executeWithin(executor, limit, each), task, runs))
                    .isLessThanOrEqualTo(NOISE_BYTES);
        }
    }

    /* What the promise to allocate nothing leaves out; a link has a header and two references. */
    @Test
    void allocatesOneLinkForATaskOfAKey() throws Exception {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            AtomicInteger runs = new AtomicInteger();
            long most = 32L * TASKS_MEASURED + NOISE_BYTES;
            assertThat(leastBytes(most, executor, executor.forKey("key"), runs::incrementAndGet, runs))
                    .isBetween(16L * TASKS_MEASURED, most);
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

    /** Returns what the submitter and the worker allocate together for all tasks, as the least of several rounds. */
    private static long leastBytes(
            long enough, LockFreeExecutor executor, Executor target, Runnable task, AtomicInteger runs)
            throws Exception {
        Thread worker = executor.submit(Thread::currentThread).get();
        return Allocations.least(enough, () -> run(target, task, runs, TASKS_MEASURED), Thread.currentThread(), worker);
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

    /* A thread that waits without a limit uses the processor only when it is woken, and how often is counted. */
    @Test
    void usesNoProcessorWhileItIsIdle() throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (LockFreeExecutor executor = LockFreeExecutor.builder().workers(2).build()) {
            Thread worker = executor.submit(Thread::currentThread).get();
            Await.until("the worker parks", () -> worker.getState() == Thread.State.WAITING);
            long before = threads.getThreadInfo(worker.threadId()).getWaitedCount();
            executor.schedule(() -> {}, 200, TimeUnit.MILLISECONDS).get();
            Await.until("the worker parks again", () -> worker.getState() == Thread.State.WAITING);
            assertThat(threads.getThreadInfo(worker.threadId()).getWaitedCount() - before)
                    .as("sleeps beside a timer of 200 ms")
                    .isLessThan(20);
        }
    }
}
