package io.slipstream.core.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.slipstream.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Submission, cancellation by other threads, and the end race, with each policy; every task is accounted for. */
class ExecutorRaceTest {
    private static final int ROUNDS = 40;
    private static final int SUBMITTERS = 3;
    private static final int TASKS = 200;

    private final Set<Runnable> dropped = ConcurrentHashMap.newKeySet();
    private final Queue<Tracked> cancellable = new ConcurrentLinkedQueue<>();

    /** What becomes of tasks without a place. */
    private enum Policy {
        ABORT,
        WAIT,
        CALLER_RUNS,
        DISCARD,
        DISCARD_OLDEST
    }

    /** A task, and what is known of it. */
    private static final class Tracked implements Runnable {
        final AtomicInteger runs = new AtomicInteger();
        final AtomicBoolean running = new AtomicBoolean();
        final boolean delayed;
        final boolean periodic;
        volatile boolean overlapping;
        volatile boolean refused;
        /** Whether a call of cancel by this test has returned true. */
        volatile boolean cancelled;

        volatile @Nullable Future<?> future;

        Tracked(boolean delayed, boolean periodic) {
            this.delayed = delayed;
            this.periodic = periodic;
        }

        @Override
        public void run() {
            overlapping |= !running.compareAndSet(false, true);
            for (int i = runs.incrementAndGet() % 50; i > 0; i--) {
                Thread.onSpinWait();
            }
            running.set(false);
        }

        /**
         * Fails unless exactly one thing has become of this: run, refused, handed back, dropped, cancelled, or run
         * while it was cancelled.
         */
        void check(String what, Set<Runnable> handedBack, Set<Runnable> droppedOnes) {
            Future<?> itsFuture = future;
            Runnable entry = itsFuture instanceof Runnable runnable ? runnable : this;
            int back = handedBack.contains(entry) ? 1 : 0;
            int drops = droppedOnes.contains(entry) ? 1 : 0;
            int refusals = refused ? 1 : 0;
            boolean isCancelled = itsFuture != null && itsFuture.isCancelled();
            assertThat(overlapping).as("%s: overlaps", what).isFalse();
            if (periodic) {
                assertThat(refused || isCancelled || back == 1)
                        .as("%s: a periodic task is left", what)
                        .isTrue();
            } else if (!isCancelled) {
                assertThat(runs.get() + back + drops + refusals)
                        .as("%s: ends, %s runs, %s back, %s dropped", what, runs, back, drops)
                        .isEqualTo(1);
                assertThat(cancelled).as("%s: cancel was true", what).isFalse();
            } else if (cancelled) {
                assertThat(runs.get() + back + drops)
                        .as("%s: ends of a cancelled one", what)
                        .isLessThanOrEqualTo(1);
                assertThat(refused).as("%s: refused", what).isFalse();
            } else {
                // The policy has cancelled it, or shutdownNow, to which it came too late.
                assertThat(drops == 1 || delayed)
                        .as("%s: who has cancelled it?", what)
                        .isTrue();
                assertThat(runs.get() + back)
                        .as("%s: ends of a dropped one", what)
                        .isZero();
            }
        }
    }

    private void drop(Runnable task, BoundedExecutor executor) {
        dropped.add(task);
        RejectionPolicy.discard().rejected(task, executor);
    }

    private RejectionPolicy policy(Policy policy) {
        return switch (policy) {
            case ABORT -> RejectionPolicy.abort();
            case WAIT -> RejectionPolicy.waitAtMost(Duration.ofMillis(1));
            case CALLER_RUNS ->
                (task, executor) -> {
                    if (executor.isShutdown()) {
                        drop(task, executor);
                    } else if (executor.isOrdered()) {
                        RejectionPolicy.waitAtMost(Await.PATIENCE).rejected(task, executor);
                    } else {
                        task.run();
                    }
                };
            case DISCARD -> this::drop;
            case DISCARD_OLDEST ->
                (task, executor) -> {
                    if (!executor.tryReplaceOldest(task, oldest -> drop(oldest, executor))) {
                        drop(task, executor);
                    }
                };
        };
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void accountsForEveryTaskBesideShutdown(Policy policy) throws Exception {
        race(policy, false);
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void accountsForEveryTaskBesideShutdownNow(Policy policy) throws Exception {
        race(policy, true);
    }

    private void race(Policy policy, boolean now) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            dropped.clear();
            cancellable.clear();
            race(policy, now, random, "seed " + seed + ", round " + round);
        }
    }

    private void race(Policy policy, boolean now, Random random, String what) throws Exception {
        LockFreeExecutor executor = LockFreeExecutor.builder()
                .workers(1 + random.nextInt(3))
                .stripes(1 + random.nextInt(2))
                .capacity(random.nextBoolean() ? 8 : 1024)
                .rejectionPolicy(policy(policy))
                .build();
        CountDownLatch submitting = new CountDownLatch(SUBMITTERS);
        List<List<Tracked>> all = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int s = 0; s < SUBMITTERS; s++) {
            List<Tracked> mine = new ArrayList<>();
            all.add(mine);
            Random ownRandom = new Random(random.nextLong());
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < TASKS; i++) {
                    mine.add(submit(executor, ownRandom));
                }
                submitting.countDown();
            }));
        }
        threads.add(Thread.ofPlatform().start(() -> cancel(submitting, true)));
        threads.add(Thread.ofPlatform().start(() -> cancel(submitting, false)));
        for (int i = random.nextInt(20_000); i > 0; i--) {
            Thread.onSpinWait();
        }
        Set<Runnable> handedBack = new HashSet<>();
        if (now) {
            handedBack.addAll(executor.shutdownNow());
        } else {
            executor.shutdown();
        }
        assertThat(executor.awaitTermination(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("%s: %s", what, executor.stats())
                .isTrue();
        for (Thread thread : threads) {
            thread.join();
        }
        for (List<Tracked> mine : all) {
            assertThat(mine).hasSize(TASKS);
            mine.forEach(task -> task.check(what, handedBack, dropped));
        }
        ExecutorStats stats = executor.stats();
        assertThat(stats.depth() + stats.keyedDepth() + stats.timers()).as(what).isZero();
        assertThat(stats.failed()).as(what).isZero();
    }

    private void cancel(CountDownLatch submitting, boolean interrupts) {
        while (submitting.getCount() > 0 || !cancellable.isEmpty()) {
            Tracked task = cancellable.poll();
            Future<?> future = task == null ? null : task.future;
            if (task != null && future != null && future.cancel(interrupts)) {
                task.cancelled = true;
            }
        }
    }

    private Tracked submit(LockFreeExecutor executor, Random random) {
        int kind = random.nextInt(8);
        Tracked task = new Tracked(kind == 2 || kind == 3, kind == 3);
        try {
            switch (kind) {
                case 0 -> executor.forKey(random.nextInt(3)).execute(task);
                case 1 -> execute(executor.forKey(random.nextInt(3)), task);
                case 2 -> task.future = executor.schedule(task, random.nextInt(2_000), TimeUnit.MICROSECONDS);
                case 3 ->
                    task.future = random.nextBoolean()
                            ? executor.scheduleAtFixedRate(
                                    task, random.nextInt(100), 1 + random.nextInt(500), TimeUnit.MICROSECONDS)
                            : executor.scheduleWithFixedDelay(
                                    task, random.nextInt(100), 1 + random.nextInt(500), TimeUnit.MICROSECONDS);
                case 4 -> task.future = executor.submit(task);
                case 5 -> execute(executor, task);
                default -> executor.execute(task);
            }
        } catch (RejectedExecutionException e) {
            task.refused = true;
        }
        if (task.future != null && random.nextBoolean()) {
            cancellable.add(task);
        }
        return task;
    }

    /** Executes a future that others may cancel, as they may those of submit. */
    private void execute(Executor executor, Tracked task) {
        FutureTask<?> future = new FutureTask<>(task, null);
        try {
            executor.execute(future);
        } catch (RejectedExecutionException e) {
            task.refused = true;
            return;
        }
        task.future = future;
    }

    /* The broken twins: tasks of which something else became. */
    @Test
    void theAccountNoticesWhatIsLostOrDoneTwice() {
        Tracked lost = new Tracked(false, false);
        assertWrong(lost, Set.of(), "ends");
        Tracked twice = new Tracked(false, false);
        twice.run();
        assertWrong(twice, Set.of(twice), "ends");
        Tracked silently = new Tracked(false, false);
        silently.future = new FutureTask<>(silently, null);
        silently.future.cancel(false);
        assertWrong(silently, Set.of(), "who has cancelled it");
        Tracked left = new Tracked(true, true);
        assertWrong(left, Set.of(), "periodic task is left");
        Tracked fine = new Tracked(false, false);
        fine.run();
        fine.check("fine", Set.of(), Set.of());
    }

    private static void assertWrong(Tracked task, Set<Runnable> handedBack, String message) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> task.check("broken", handedBack, Set.of()))
                .withMessageContaining(message);
    }
}
