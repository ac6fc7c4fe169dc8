package io.slipstream.core.executor;

import io.slipstream.core.thread.WaitStrategy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Submission, cancellation and shutdown race, and every task is accounted for. */
@Timeout(60)
class ExecutorStressTest {
    private static final Set<Thread.State> PARKED = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private static final int TASKS = 600;
    private static final int TASKS_MEASURED = 400_000;

    /** A task that knows what became of it: exactly one of run, handed back, refused, cancelled, but for one that is cancelled while it runs. */
    private static final class Tracked implements Runnable {
        final AtomicInteger runs = new AtomicInteger();
        boolean refused;
        @Nullable Future<?> future;

        @Override
        public void run() {
            runs.incrementAndGet();
        }
    }

    @Test
    void accountsForEveryTaskWhenSubmittersRaceWithShutdown() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 150; round++) {
            race(random, "seed " + seed + ", round " + round, false);
        }
    }

    @Test
    void accountsForEveryTaskWhenSubmittersRaceWithShutdownNow() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 150; round++) {
            race(random, "seed " + seed + ", round " + round, true);
        }
    }

    private static void race(Random random, String what, boolean now) throws Exception {
        LockFreeExecutor executor = LockFreeExecutor.builder().workers(1 + random.nextInt(3))
                .capacity(random.nextBoolean() ? 8 : 1024).build();
        CountDownLatch start = new CountDownLatch(1);
        List<List<Tracked>> all = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int s = 0; s < 3; s++) {
            List<Tracked> mine = new ArrayList<>();
            all.add(mine);
            Random ownRandom = new Random(random.nextLong());
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int i = 0; i < TASKS / 3; i++) {
                    mine.add(submit(executor, ownRandom));
                }
            }));
        }
        start.countDown();
        for (int i = random.nextInt(3_000); i > 0; i--) {
            Thread.onSpinWait();
        }
        List<Runnable> handedBack = List.of();
        if (now) {
            handedBack = executor.shutdownNow();
        } else {
            executor.shutdown();
        }
        assertThat(executor.awaitTermination(20, TimeUnit.SECONDS)).as(what).isTrue();
        for (Thread thread : threads) {
            thread.join();
        }
        for (List<Tracked> mine : all) {
            for (Tracked task : mine) {
                Future<?> future = task.future;
                int back = 0;
                for (Runnable each : handedBack) {
                    back += each == task || each == future ? 1 : 0;
                }
                boolean cancelled = future != null && future.isCancelled();
                if (cancelled) {
                    // One that is cancelled while it runs has run and is cancelled.
                    assertThat(task.refused).as(what).isFalse();
                    assertThat(task.runs.get() + back).as(what).isLessThanOrEqualTo(1);
                } else {
                    assertThat(task.runs.get() + back + (task.refused ? 1 : 0)).as(what).isEqualTo(1);
                }
            }
        }
    }

    private static Tracked submit(LockFreeExecutor executor, Random random) {
        Tracked task = new Tracked();
        try {
            switch (random.nextInt(6)) {
                case 0 -> executor.forKey(random.nextInt(3)).execute(task);
                case 1 -> task.future = executor.schedule(task, random.nextInt(2_000), TimeUnit.MICROSECONDS);
                case 2 -> {
                    task.future = executor.submit(task);
                    task.future.cancel(false);
                }
                case 3 -> task.future = executor.submit(task);
                default -> executor.execute(task);
            }
        } catch (RejectedExecutionException e) {
            task.refused = true;
        }
        return task;
    }

    @Test
    void losesNoWakeUpWhenTasksComeOneByOne() throws Exception {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().workers(2)
                .waitStrategy(new WaitStrategy(0, 0, 60_000_000_000L, 60_000_000_000L, true))
                .build()) {
            for (int i = 0; i < 10_000; i++) {
                executor.submit(() -> { }).get(20, TimeUnit.SECONDS);
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
            LockFreeExecutor executor = LockFreeExecutor.builder().workers(3)
                    .waitStrategy(new WaitStrategy(0, 0, 60_000_000_000L, 60_000_000_000L, true))
                    .build();
            for (int task = 0; task < 5; task++) {
                executor.forKey(task).execute(() -> { });
                executor.execute(() -> { });
            }
            executor.schedule(() -> { }, 100, TimeUnit.MICROSECONDS);
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
            assertThat(bytesFor(TASKS_MEASURED, executor, each -> executeWithin(executor, limit, each), task, runs)).isLessThan(50_000);
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
    private static long bytesFor(int count, LockFreeExecutor executor, Executor target, Runnable task, AtomicInteger runs) throws Exception {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] ids = {Thread.currentThread().threadId(), executor.submit(() -> Thread.currentThread().threadId()).get()};
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
            executor.schedule(() -> { }, 200, TimeUnit.MILLISECONDS).get();
            assertThat(threads.getThreadCpuTime(worker.threadId()) - before).isLessThan(40_000_000);
        }
    }
}
