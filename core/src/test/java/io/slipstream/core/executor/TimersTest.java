package io.slipstream.core.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TimersTest {
    private static final long TICK = 1L << TimerWheel.TICK_SHIFT;

    @Test
    void wheelGivesEveryTaskInItsTickWhateverTheDistanceAndTheStep() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            for (int run = 0; run < 60; run++) {
                checkWheel(new Timers(executor, "test", 1), random, seed, 0);
            }
        }
    }

    /* The broken twin: a wheel that is some ticks ahead of the clock. */
    @Test
    void theCheckNoticesAWheelThatGivesTasksEarly() {
        long seed = 1;
        Random random = new Random(seed);
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> {
                        for (int run = 0; run < 60; run++) {
                            checkWheel(new Timers(executor, "test", 1), random, seed, 3 * TICK);
                        }
                    })
                    .withMessageContaining("none is early");
        }
    }

    private static void checkWheel(Timers timers, Random random, long seed, long ahead) {
        TimerWheel wheel = timers.wheel.tasks;
        TreeMap<Long, List<ScheduledTask<?>>> model = new TreeMap<>();
        List<ScheduledTask<?>> linked = new ArrayList<>();
        long now = 0;
        for (int step = 0; step < 300; step++) {
            for (int i = random.nextInt(4); i > 0; i--) {
                long deadline = now + (random.nextLong() >>> 2 + random.nextInt(60));
                ScheduledTask<?> task = new ScheduledTask<>(timers, Executors.callable(() -> {}), deadline, 0);
                model.computeIfAbsent(deadline, d -> new ArrayList<>()).add(task);
                linked.add(task);
                wheel.reconcile(task);
            }
            if (random.nextInt(3) == 0 && !linked.isEmpty()) {
                ScheduledTask<?> task = linked.get(random.nextInt(linked.size()));
                task.cancel(false);
                model.getOrDefault(task.deadlineNanos(), new ArrayList<>()).remove(task);
            }
            now += random.nextLong() >>> 3 + random.nextInt(60);
            if (now < 0 || now > Long.MAX_VALUE / 4) {
                break;
            }
            List<ScheduledTask<?>> due = new ArrayList<>();
            wheel.advance(now + ahead, due);
            List<ScheduledTask<?>> must = new ArrayList<>();
            model.headMap(now - TICK, true).values().forEach(must::addAll);
            List<ScheduledTask<?>> may = new ArrayList<>();
            model.headMap(now, true).values().forEach(may::addAll);
            assertThat(due).as("seed %s", seed).containsAll(must);
            assertThat(may).as("seed %s: none is early", seed).containsAll(due);
            due.forEach(task -> model.get(task.deadlineNanos()).remove(task));
            assertThat(wheel.nextNanos())
                    .as("seed %s: there is a reason to wake up", seed)
                    .isGreaterThan(now);
            model.values().removeIf(List::isEmpty);
            if (model.isEmpty()) {
                assertThat(wheel.nextNanos()).as("seed %s", seed).isEqualTo(Long.MAX_VALUE);
            } else {
                assertThat(wheel.nextNanos()).as("seed %s", seed).isLessThanOrEqualTo(model.firstKey() + TICK);
            }
        }
    }

    @Test
    void runsDelayedTasksInOrderOfDeadlineAndNeverEarly() throws Exception {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            List<Integer> order = Collections.synchronizedList(new ArrayList<>());
            CountDownLatch done = new CountDownLatch(40);
            long start = System.nanoTime();
            for (int i = 0; i < 40; i++) {
                int number = (i * 7) % 40;
                long nanos = TimeUnit.MILLISECONDS.toNanos(20) + number * TimeUnit.MICROSECONDS.toNanos(300);
                executor.schedule(
                        () -> {
                            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(nanos);
                            order.add(number);
                            done.countDown();
                        },
                        nanos,
                        TimeUnit.NANOSECONDS);
            }
            done.await();
            assertThat(order).hasSize(40);
            assertThat(executor.stats().failed()).isZero();
        }
    }

    @Test
    void keepsTheOrderOfSubmissionAmongEqualDeadlines() {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            Timers timers = new Timers(executor, "test", 1);
            List<ScheduledTask<?>> tasks = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                tasks.add(new ScheduledTask<>(timers, Executors.callable(() -> {}), 5 * TICK, 0));
                timers.wheel.tasks.reconcile(tasks.getLast());
            }
            List<ScheduledTask<?>> due = new ArrayList<>();
            timers.wheel.tasks.advance(6 * TICK, due);
            due.sort(null);
            assertThat(due).containsExactlyElementsOf(tasks);
        }
    }

    @Test
    void startsTheThreadWithTheNextTaskIfItCouldNotBeStarted() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            Timers timers = new Timers(
                    executor,
                    task -> attempts.getAndIncrement() > 0
                            ? new Thread(task)
                            : new Thread(task) {
                                @Override
                                public void start() {
                                    throw new OutOfMemoryError("unable to create native thread");
                                }
                            },
                    1,
                    2);
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> timers.schedule(() -> "lost", 0, 0));
            assertThat(timers.count()).as("places taken").isZero();
            ScheduledFuture<String> future = timers.schedule(() -> "late", 0, 0);
            Runnable due;
            while ((due = timers.pollDue()) == null) {
                Thread.onSpinWait();
            }
            due.run();
            assertThat(future.get()).isEqualTo("late");
            timers.close();
            timers.awaitEnd();
        }
    }

    @Test
    void goesOnAndTellsWhenARoundHasFailed() throws Exception {
        List<Throwable> told = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger rounds = new AtomicInteger();
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            Timers timers =
                    new Timers(
                            executor,
                            task -> {
                                Thread thread = new Thread(task);
                                thread.setUncaughtExceptionHandler((where, e) -> told.add(e));
                                return thread;
                            },
                            4,
                            4) {
                        @Override
                        boolean round() {
                            if (rounds.getAndIncrement() < 3) {
                                throw new OutOfMemoryError("no memory");
                            }
                            return super.round();
                        }
                    };
            ScheduledFuture<String> future = timers.schedule(() -> "late", 0, 0);
            Runnable due;
            while ((due = timers.pollDue()) == null) {
                Thread.onSpinWait();
            }
            due.run();
            assertThat(future.get()).isEqualTo("late");
            assertThat(told).hasSize(3).allMatch(e -> e.getMessage().equals("no memory"));
            timers.close();
            timers.awaitEnd();
        }
    }

    @Test
    void keepsTheTasksInTheWheelForWhichThereWasNoMemory() {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            Timers timers = new Timers(executor, "test", 1);
            List<ScheduledTask<?>> tasks = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                tasks.add(new ScheduledTask<>(timers, Executors.callable(() -> {}), 5 * TICK, 0));
                timers.wheel.tasks.reconcile(tasks.getLast());
            }
            List<ScheduledTask<?>> due = new ArrayList<>();
            assertThatExceptionOfType(OutOfMemoryError.class)
                    .isThrownBy(() -> timers.wheel.tasks.advance(6 * TICK, new AbstractCollection<>() {
                        @Override
                        public boolean add(ScheduledTask<?> task) {
                            if (due.size() == 4) {
                                throw new OutOfMemoryError();
                            }
                            return due.add(task);
                        }

                        @Override
                        public Iterator<ScheduledTask<?>> iterator() {
                            return due.iterator();
                        }

                        @Override
                        public int size() {
                            return due.size();
                        }
                    }));
            timers.wheel.tasks.advance(6 * TICK, due);
            assertThat(due).containsExactlyInAnyOrderElementsOf(tasks);
            assertThat(timers.wheel.nextNanos()).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void asksWorkersThatTakeNothingEverMoreSeldom() {
        AtomicInteger rounds = new AtomicInteger();
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            Timers timers = new Timers(executor, Thread::new, 10, 2) {
                @Override
                boolean round() {
                    rounds.incrementAndGet();
                    return super.round();
                }
            };
            long start = System.nanoTime();
            for (int i = 0; i < 5; i++) {
                timers.schedule(() -> "late", 0, 0);
            }
            while (rounds.get() < 60) {
                Thread.onSpinWait();
            }
            assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(100));
            timers.close();
            timers.withdrawAll(new ArrayList<>());
            timers.awaitEnd();
        }
    }

    @Test
    void keepsWhatIsDueWhileTheWorkersHaveNoPlaceForIt() {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            Timers timers = new Timers(executor, Thread::new, 10, 2);
            List<ScheduledTask<?>> tasks = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                tasks.add(new ScheduledTask<>(timers, Executors.callable(() -> {}), 0, 0));
                timers.enter(tasks.getLast());
            }
            assertThat(timers.round()).as("some is left").isTrue();
            assertThat(timers.dueCount()).isEqualTo(2);
            tasks.get(2).cancel(false);
            List<Runnable> withdrawn = new ArrayList<>();
            timers.close();
            timers.withdrawAll(withdrawn);
            tasks.remove(2);
            assertThat(withdrawn).containsExactlyElementsOf(tasks);
            assertThat(timers.round()).isFalse();
            assertThat(timers.dueCount()).isZero();
        }
    }

    @Test
    void givesTheResultOfADelayedCallable() throws Exception {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            ScheduledFuture<String> future = executor.schedule(() -> "late", 1, TimeUnit.MILLISECONDS);
            assertThat(future.get()).isEqualTo("late");
            assertThat(future.getDelay(TimeUnit.NANOSECONDS)).isNotPositive();
            assertThat(executor.schedule(() -> "now", -5, TimeUnit.DAYS).get()).isEqualTo("now");
        }
    }

    @Test
    void acceptsTheLongestDelayThereIs() {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            ScheduledFuture<?> future = executor.schedule(() -> {}, Long.MAX_VALUE, TimeUnit.DAYS);
            Delayed sooner = executor.schedule(() -> {}, 1, TimeUnit.DAYS);
            assertThat(future.compareTo(sooner)).isPositive();
            executor.shutdownNow();
        }
    }

    @Test
    void runsDelayedTasksAfterShutdownAndCancelsPeriodicOnes() {
        AtomicInteger delayed = new AtomicInteger();
        LockFreeExecutor executor = LockFreeExecutor.builder().workers(2).build();
        ScheduledFuture<?> periodic = executor.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS);
        ScheduledFuture<?> frequent = executor.scheduleAtFixedRate(() -> {}, 0, 1, TimeUnit.MICROSECONDS);
        for (int i = 0; i < 10; i++) {
            executor.schedule(delayed::incrementAndGet, 5 + i, TimeUnit.MILLISECONDS);
        }
        executor.close();
        assertThat(delayed).hasValue(10);
        assertThat(periodic.isCancelled()).isTrue();
        assertThat(frequent.isCancelled()).isTrue();
    }

    @Test
    void forgetsACancelledTaskAtOnce() throws Exception {
        try (LockFreeExecutor executor =
                LockFreeExecutor.builder().maxTimers(100).build()) {
            Callable<Void> flood = () -> {
                for (int i = 0; i < 5_000; i++) {
                    assertThat(executor.schedule(() -> {}, 1 + i % 100, TimeUnit.HOURS)
                                    .cancel(false))
                            .isTrue();
                }
                return null;
            };
            for (var future : executor.invokeAll(List.of(flood))) {
                future.get();
            }
            flood.call();
            assertThat(executor.stats().timers()).isZero();
        }
    }

    @Test
    void runsNoTaskOfABurstEarlyAndKeepsTheOrderOfEqualDelays() throws Exception {
        int count = 100_000;
        try (LockFreeExecutor executor =
                LockFreeExecutor.builder().capacity(1 << 17).build()) {
            AtomicInteger next = new AtomicInteger();
            AtomicInteger early = new AtomicInteger();
            AtomicInteger outOfOrder = new AtomicInteger();
            CountDownLatch done = new CountDownLatch(count);
            long delay = TimeUnit.MILLISECONDS.toNanos(3);
            for (int i = 0; i < count; i++) {
                int number = i;
                long submitted = System.nanoTime();
                executor.schedule(
                        () -> {
                            early.addAndGet(System.nanoTime() - submitted < delay ? 1 : 0);
                            outOfOrder.addAndGet(next.getAndIncrement() == number ? 0 : 1);
                            done.countDown();
                        },
                        delay,
                        TimeUnit.NANOSECONDS);
            }
            done.await();
            assertThat(early).hasValue(0);
            assertThat(outOfOrder).hasValue(0);
        }
    }

    @Test
    void givesTheDelayOfEachTaskOfABurstAtOnceAndForgetsTheCancelledOnes() throws Exception {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            Callable<Void> burst = () -> {
                for (int i = 0; i < 20_000; i++) {
                    ScheduledFuture<?> future = executor.schedule(() -> {}, 1, TimeUnit.HOURS);
                    if (i % 7 == 0) {
                        assertThat(future.getDelay(TimeUnit.MINUTES)).isBetween(58L, 60L);
                    }
                    assertThat(future.cancel(false)).isTrue();
                    assertThat(future.getDelay(TimeUnit.MINUTES)).isBetween(58L, 60L);
                }
                return null;
            };
            for (var future : executor.invokeAll(List.of(burst, burst))) {
                future.get();
            }
            assertThat(executor.stats().timers()).isZero();
            assertThat(executor.timers.wheel.nextNanos()).isEqualTo(Long.MAX_VALUE);
        }
    }
}
