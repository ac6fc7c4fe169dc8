package io.slipstream.core.executor;

import static io.slipstream.core.executor.ExecutorFixture.executor;
import static io.slipstream.core.executor.ExecutorFixture.waitingFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of ExecutorService while it lives, one sentence each, for one worker and for several; its end is in
 * {@link ExecutorShutdownTest}.
 */
class ExecutorContractTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void runsEveryTaskOnce(int workers) {
        AtomicInteger runs = new AtomicInteger();
        try (LockFreeExecutor executor = executor(workers)) {
            for (int i = 0; i < 200; i++) {
                executor.execute(runs::incrementAndGet);
            }
        }
        assertThat(runs).hasValue(200);
    }

    @Test
    void runsTasksInOrderWhenThereIsOneWorker() {
        List<Integer> order = new ArrayList<>();
        try (LockFreeExecutor executor = executor(1)) {
            for (int i = 0; i < 200; i++) {
                int number = i;
                executor.execute(() -> order.add(number));
            }
        }
        assertThat(order).hasSize(200).isSorted();
    }

    @Test
    void runsTasksOfEachSubmitterInOrderWhenOneWorkerHasSeveralStripes() throws Exception {
        int submitters = 5;
        int tasks = 20_000;
        int[] next = new int[submitters];
        AtomicInteger outOfOrder = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        try (LockFreeExecutor executor = LockFreeExecutor.builder()
                .stripes(3)
                .capacity(64)
                .rejectionPolicy(RejectionPolicy.waitAtMost(Await.PATIENCE))
                .build()) {
            for (int s = 0; s < submitters; s++) {
                int submitter = s;
                threads.add(Thread.startVirtualThread(() -> {
                    for (int i = 0; i < tasks; i++) {
                        int number = i;
                        executor.execute(() -> outOfOrder.addAndGet(next[submitter]++ == number ? 0 : 1));
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertThat(next).containsOnly(tasks);
        assertThat(outOfOrder).hasValue(0);
    }

    @Test
    void handsTheTasksOfAllStripesBack() throws Exception {
        LockFreeExecutor executor =
                LockFreeExecutor.builder().workers(2).stripes(4).capacity(64).build();
        assertThat(executor.stats().capacity()).isEqualTo(64);
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch latch = new CountDownLatch(1);
        executor.execute(waitingFor(begun, latch));
        executor.execute(waitingFor(begun, latch));
        begun.await();
        for (int i = 0; i < 64; i++) {
            executor.execute(() -> {});
        }
        assertThat(executor.tryExecute(() -> {})).isFalse();
        assertThat(executor.stats().depth()).isEqualTo(64);
        assertThat(executor.shutdownNow()).hasSize(64);
        latch.countDown();
        Await.ended(executor);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void givesResultsAndExceptionsThroughFutures(int workers) throws Exception {
        try (LockFreeExecutor executor = executor(workers)) {
            assertThat(executor.submit(() -> "done").get()).isEqualTo("done");
            assertThat(executor.submit(() -> {}, 7).get()).isEqualTo(7);
            assertThat(executor.submit(() -> {}).get()).isNull();
            Future<?> failing = executor.submit((Callable<Void>) () -> {
                throw new IllegalStateException("no");
            });
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(failing::get)
                    .withCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    @SuppressWarnings({"DataFlowIssue", "NullAway"})
    void refusesNullTasks() {
        try (LockFreeExecutor executor = executor(1)) {
            assertThatNullPointerException().isThrownBy(() -> executor.execute(null));
            assertThatNullPointerException().isThrownBy(() -> executor.submit((Runnable) null));
            assertThatNullPointerException().isThrownBy(() -> executor.submit((Callable<Object>) null));
            assertThatNullPointerException().isThrownBy(() -> executor.invokeAll(null));
            assertThatNullPointerException().isThrownBy(() -> executor.schedule((Runnable) null, 1, TimeUnit.SECONDS));
            assertThatNullPointerException().isThrownBy(() -> executor.forKey(null));
            assertThatNullPointerException()
                    .isThrownBy(() -> executor.forKey("k").execute(null));
        }
    }

    @Test
    @SuppressWarnings({"DataFlowIssue", "NullAway"})
    void refusesNullUnitsOfTimeAndAcceptsNothingThen() {
        AtomicInteger runs = new AtomicInteger();
        try (LockFreeExecutor executor = executor(1)) {
            Callable<Integer> task = runs::incrementAndGet;
            assertThatNullPointerException().isThrownBy(() -> executor.schedule(runs::incrementAndGet, 0, null));
            assertThatNullPointerException().isThrownBy(() -> executor.schedule(task, 0, null));
            assertThatNullPointerException()
                    .isThrownBy(() -> executor.scheduleAtFixedRate(runs::incrementAndGet, 0, 1, null));
            assertThatNullPointerException()
                    .isThrownBy(() -> executor.scheduleWithFixedDelay(runs::incrementAndGet, 0, 1, null));
            assertThatNullPointerException().isThrownBy(() -> executor.invokeAny(List.of(task), 1, null));
            assertThatNullPointerException().isThrownBy(() -> executor.invokeAll(List.of(task), 1, null));
            assertThat(executor.stats().timers()).isZero();
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void refusesSettingsThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockFreeExecutor.builder().workers(0))
                .withMessageContaining("1 to 1024 workers, not 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockFreeExecutor.builder().capacity(-1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockFreeExecutor.builder().maxTimers(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockFreeExecutor.builder().stripes(65))
                .withMessageContaining("1 to 64 stripes, not 65");
        try (LockFreeExecutor executor = executor(1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> executor.scheduleAtFixedRate(() -> {}, 0, 0, TimeUnit.SECONDS));
        }
    }

    @Test
    void doesNotRunATaskThatWasCancelledBeforeItsTurn() throws Exception {
        try (LockFreeExecutor executor = executor(1)) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch latch = new CountDownLatch(1);
            executor.execute(waitingFor(begun, latch));
            AtomicBoolean ran = new AtomicBoolean();
            Future<?> future = executor.submit(() -> ran.set(true));
            assertThat(future.cancel(true)).isTrue();
            latch.countDown();
            executor.submit(() -> {}).get();
            assertThat(ran).isFalse();
            assertThatExceptionOfType(CancellationException.class).isThrownBy(future::get);
        }
    }

    @Test
    void interruptsACancelledTaskButNotTheNextOne() throws Exception {
        try (LockFreeExecutor executor = executor(1)) {
            for (int i = 0; i < 200; i++) {
                SynchronousQueue<String> begun = new SynchronousQueue<>();
                Future<?> future = executor.submit(() -> {
                    begun.put("begun");
                    while (!Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                    return null;
                });
                begun.take();
                future.cancel(true);
                assertThat(executor.submit(() -> Thread.currentThread().isInterrupted())
                                .get())
                        .isFalse();
            }
        }
    }

    @Test
    void tellsTheHandlerForUncaughtExceptionsAndGoesOnAfterATaskThrew() throws Exception {
        List<Throwable> seen = Collections.synchronizedList(new ArrayList<>());
        try (LockFreeExecutor executor = LockFreeExecutor.builder()
                .threadFactory(task -> {
                    Thread thread = new Thread(task);
                    thread.setUncaughtExceptionHandler((where, e) -> {
                        seen.add(e);
                        throw new IllegalStateException("a handler that throws as well");
                    });
                    return thread;
                })
                .build()) {
            Thread before = executor.submit(Thread::currentThread).get();
            executor.execute(() -> {
                throw new IllegalStateException("one");
            });
            executor.execute(() -> {
                throw new StackOverflowError("two");
            });
            assertThat(executor.submit(Thread::currentThread).get()).isSameAs(before);
            assertThat(seen).extracting(Throwable::getMessage).containsExactly("one", "two");
            assertThat(executor.stats().failed()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void letsTheTaskSeeWhatItsSubmitterDidAndTheSubmitterWhatTheTaskDid(int workers) throws Exception {
        try (LockFreeExecutor executor = executor(workers)) {
            for (int i = 0; i < 2_000; i++) {
                int[] plain = {i};
                int expected = i;
                executor.submit(() -> {
                            assertThat(plain[0]).isEqualTo(expected);
                            plain[0]++;
                        })
                        .get();
                assertThat(plain[0]).isEqualTo(i + 1);
            }
        }
    }

    @Test
    void servesCompletableFutures() {
        try (LockFreeExecutor executor = executor(2)) {
            CompletableFuture<Integer> sum = CompletableFuture.supplyAsync(() -> 1, executor)
                    .thenCombineAsync(CompletableFuture.supplyAsync(() -> 2, executor), Integer::sum, executor);
            assertThat(sum.join()).isEqualTo(3);
        }
    }

    @Test
    void runsOnVirtualThreadsWithAStrategyThatDoesNotSpin() throws Exception {
        WaitStrategy parking = new WaitStrategy(0, 0, 1_000_000_000, 1_000_000_000, true);
        try (LockFreeExecutor executor = LockFreeExecutor.builder()
                .workers(3)
                .waitStrategy(parking)
                .threadFactory(Thread.ofVirtual().factory())
                .build()) {
            assertThat(executor.submit(() -> Thread.currentThread().isVirtual()).get())
                    .isTrue();
        }
    }

    @Test
    void takesWorkFromAWorkerThatIsBusy() throws Exception {
        try (LockFreeExecutor executor = executor(2)) {
            for (int i = 0; i < 50; i++) {
                CountDownLatch begun = new CountDownLatch(1);
                CountDownLatch latch = new CountDownLatch(1);
                executor.execute(waitingFor(begun, latch));
                begun.await();
                for (int j = 0; j < 10; j++) {
                    Await.done(executor.submit(() -> {}));
                }
                latch.countDown();
            }
        }
    }

    @Test
    void countsWhatItDoesAndHowLongItTakes() throws Exception {
        try (LockFreeExecutor executor = executor(1)) {
            for (int i = 0; i < 20; i++) {
                executor.submit(() -> {}).get();
            }
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch latch = new CountDownLatch(1);
            executor.execute(waitingFor(begun, latch));
            begun.await();
            executor.execute(() -> {});
            executor.schedule(() -> {}, 1, TimeUnit.HOURS).cancel(false);
            ExecutorStats stats = executor.stats();
            assertThat(stats.workers()).isEqualTo(1);
            assertThat(stats.capacity()).isEqualTo(256);
            assertThat(stats.depth()).isEqualTo(1);
            assertThat(stats.timers()).isZero();
            assertThat(stats.completed()).isEqualTo(20);
            assertThat(stats.latency().samples()).isPositive();
            assertThat(stats.latency().longestWaitNanos()).isPositive();
            latch.countDown();
        }
    }
}
