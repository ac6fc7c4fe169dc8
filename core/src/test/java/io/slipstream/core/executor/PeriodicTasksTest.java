package io.slipstream.core.executor;

import static io.slipstream.core.executor.ExecutorFixture.executor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.slipstream.testkit.Await;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeriodicTasksTest {
    private static final long TICK = 1L << TimerWheel.TICK_SHIFT;

    @Test
    void shutdownCancelsAPeriodicTaskThatIsDueAndWaitsForAWorker() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        LockFreeExecutor executor = executor(1);
        try {
            executor.execute(ExecutorFixture.waitingFor(begun, release));
            begun.await();
            ScheduledFuture<?> periodic = executor.scheduleAtFixedRate(() -> {}, 0, 1, TimeUnit.HOURS);
            ScheduledFuture<?> once = executor.schedule(() -> {}, 0, TimeUnit.HOURS);
            while (executor.stats().dueTimers() < 2) {
                Thread.onSpinWait();
            }
            assertThat(executor.stats().active()).isEqualTo(1);
            executor.shutdown();
            assertThat(periodic.isCancelled()).isTrue();
            assertThat(once.isCancelled()).isFalse();
            release.countDown();
            Await.ended(executor);
            assertThat(once.state()).isEqualTo(Future.State.SUCCESS);
            assertThat(executor.stats().active()).isZero();
        } finally {
            release.countDown();
            executor.shutdownNow();
        }
    }

    @Test
    void repeatsUntilCancelled() throws Exception {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            CountDownLatch atRate = new CountDownLatch(5);
            CountDownLatch withDelay = new CountDownLatch(5);
            ScheduledFuture<?> rate = executor.scheduleAtFixedRate(atRate::countDown, 0, 1, TimeUnit.MILLISECONDS);
            ScheduledFuture<?> delay =
                    executor.scheduleWithFixedDelay(withDelay::countDown, 0, 1, TimeUnit.MILLISECONDS);
            atRate.await();
            withDelay.await();
            assertThat(rate.cancel(false)).isTrue();
            assertThat(delay.cancel(true)).isTrue();
            assertThat(rate.isCancelled()).isTrue();
            assertThat(executor.stats().timers()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void neverRunsAPeriodicTaskBesideItself(int workers) throws Exception {
        try (LockFreeExecutor executor = executor(workers)) {
            for (boolean atRate : new boolean[] {true, false}) {
                AtomicBoolean running = new AtomicBoolean();
                AtomicInteger overlaps = new AtomicInteger();
                CountDownLatch runs = new CountDownLatch(200);
                Runnable task = () -> {
                    overlaps.addAndGet(running.compareAndSet(false, true) ? 0 : 1);
                    // Others are due and may have another worker meanwhile.
                    Thread.yield();
                    running.set(false);
                    runs.countDown();
                };
                ScheduledFuture<?> future = atRate
                        ? executor.scheduleAtFixedRate(task, 0, 1, TimeUnit.NANOSECONDS)
                        : executor.scheduleWithFixedDelay(task, 0, 1, TimeUnit.NANOSECONDS);
                runs.await();
                future.cancel(false);
                assertThat(overlaps).hasValue(0);
            }
        }
    }

    @Test
    void makesUpForRunsAtAFixedRateThatWereLateAndMovesNoDeadline() {
        try (LockFreeExecutor executor = executor(1)) {
            Timers timers = new Timers(executor, "test", 1);
            ScheduledTask<?> task = new ScheduledTask<>(timers, Executors.callable(() -> {}), 0, TICK);
            // Much later than it was due.
            while (timers.now() < 5 * TICK) {
                Thread.onSpinWait();
            }
            for (int run = 1; run <= 3; run++) {
                task.run();
                assertThat(task.deadlineNanos()).isEqualTo(run * TICK);
            }
        }
    }

    @Test
    void countsAFixedDelayFromTheEndOfARun() {
        try (LockFreeExecutor executor = executor(1)) {
            Timers timers = new Timers(executor, "test", 1);
            long[] end = new long[1];
            ScheduledTask<?> task = new ScheduledTask<>(
                    timers,
                    Executors.callable(() -> {
                        long begin = timers.now();
                        while (timers.now() < begin + 5 * TICK) {
                            Thread.onSpinWait();
                        }
                        end[0] = timers.now();
                    }),
                    0,
                    -TICK);
            for (int run = 0; run < 3; run++) {
                task.run();
                assertThat(task.deadlineNanos()).isBetween(end[0] + TICK, timers.now() + TICK);
            }
        }
    }

    @Test
    void interruptsARunningTaskThatIsCancelledAndNotTheNextOne() throws Exception {
        try (LockFreeExecutor executor = executor(1)) {
            for (boolean periodic : new boolean[] {true, false}) {
                CountDownLatch begun = new CountDownLatch(1);
                CountDownLatch interrupted = new CountDownLatch(1);
                Runnable task = () -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                };
                ScheduledFuture<?> future = periodic
                        ? executor.scheduleAtFixedRate(task, 0, 1, TimeUnit.NANOSECONDS)
                        : executor.schedule(task, 0, TimeUnit.NANOSECONDS);
                begun.await();
                assertThat(future.cancel(true)).isTrue();
                assertThat(executor.stats().timers()).isZero();
                interrupted.await();
                assertThat(executor.submit(() -> Thread.currentThread().isInterrupted())
                                .get())
                        .isFalse();
            }
        }
    }

    @Test
    void leavesARunningTaskAloneThatIsCancelledWithoutInterruption() throws Exception {
        try (LockFreeExecutor executor = executor(1)) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch latch = new CountDownLatch(1);
            AtomicBoolean interrupted = new AtomicBoolean();
            AtomicInteger runs = new AtomicInteger();
            ScheduledFuture<?> future = executor.scheduleAtFixedRate(
                    () -> {
                        runs.incrementAndGet();
                        begun.countDown();
                        try {
                            latch.await();
                        } catch (InterruptedException e) {
                            interrupted.set(true);
                        }
                    },
                    0,
                    1,
                    TimeUnit.NANOSECONDS);
            begun.await();
            assertThat(future.cancel(false)).isTrue();
            latch.countDown();
            executor.schedule(() -> {}, 0, TimeUnit.NANOSECONDS).get();
            assertThat(interrupted).isFalse();
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void endsAPeriodicTaskThatThrows() {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().build()) {
            AtomicInteger runs = new AtomicInteger();
            ScheduledFuture<?> future = executor.scheduleAtFixedRate(
                    () -> {
                        if (runs.incrementAndGet() == 3) {
                            throw new IllegalStateException("third time");
                        }
                    },
                    0,
                    1,
                    TimeUnit.MICROSECONDS);
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(future::get)
                    .withMessageContaining("third time");
            assertThat(runs).hasValue(3);
        }
    }
}
