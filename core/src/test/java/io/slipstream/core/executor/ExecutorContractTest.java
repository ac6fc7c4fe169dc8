package io.slipstream.core.executor;

import io.slipstream.core.thread.WaitStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** The contract of ExecutorService, one sentence each, for one worker and for several. */
@Timeout(30)
class ExecutorContractTest {
    private static LockFreeExecutor executor(int workers) {
        return LockFreeExecutor.builder().name("test").workers(workers).capacity(256).build();
    }

    private static Runnable waitingFor(CountDownLatch begun, CountDownLatch latch) {
        return () -> {
            begun.countDown();
            boolean waiting = true;
            while (waiting) {
                try {
                    latch.await();
                    waiting = false;
                } catch (InterruptedException e) {
                    // This task does not heed interruption.
                }
            }
        };
    }

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

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void givesResultsAndExceptionsThroughFutures(int workers) throws Exception {
        try (LockFreeExecutor executor = executor(workers)) {
            assertThat(executor.submit(() -> "done").get()).isEqualTo("done");
            assertThat(executor.submit(() -> { }, 7).get()).isEqualTo(7);
            Future<?> failing = executor.submit((Callable<Void>) () -> {
                throw new IllegalStateException("no");
            });
            assertThatExceptionOfType(ExecutionException.class).isThrownBy(failing::get)
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
            assertThatNullPointerException().isThrownBy(() -> executor.forKey("k").execute(null));
        }
    }

    @Test
    void refusesSettingsThatCannotBe() {
        assertThatIllegalArgumentException().isThrownBy(() -> LockFreeExecutor.builder().workers(0))
                .withMessageContaining("1 to 1024 workers, not 0");
        assertThatIllegalArgumentException().isThrownBy(() -> LockFreeExecutor.builder().capacity(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> LockFreeExecutor.builder().maxTimers(0));
        try (LockFreeExecutor executor = executor(1)) {
            assertThatIllegalArgumentException().isThrownBy(
                    () -> executor.scheduleAtFixedRate(() -> { }, 0, 0, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void runsWaitingTasksAfterShutdownAndRefusesNewOnes(int workers) throws Exception {
        LockFreeExecutor executor = executor(workers);
        CountDownLatch begun = new CountDownLatch(workers);
        CountDownLatch latch = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        for (int i = 0; i < workers; i++) {
            executor.execute(waitingFor(begun, latch));
        }
        begun.await();
        for (int i = 0; i < 10; i++) {
            executor.execute(runs::incrementAndGet);
        }
        executor.shutdown();
        executor.shutdown();
        assertThat(executor.isShutdown()).isTrue();
        assertThat(executor.isTerminated()).isFalse();
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> executor.execute(() -> { }))
                .withMessageContaining("executor 'test' was shut down");
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(
                () -> executor.schedule(() -> { }, 1, TimeUnit.SECONDS)).withMessageContaining("was shut down");
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(
                () -> executor.forKey(1).execute(() -> { })).withMessageContaining("was shut down");
        assertThat(executor.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
        latch.countDown();
        assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(executor.isTerminated()).isTrue();
        assertThat(runs).hasValue(10);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void handsWaitingTasksBackAndInterruptsRunningOnesOnShutdownNow(int workers) throws Exception {
        LockFreeExecutor executor = executor(workers);
        CountDownLatch begun = new CountDownLatch(workers);
        CountDownLatch interrupted = new CountDownLatch(workers);
        for (int i = 0; i < workers; i++) {
            executor.execute(() -> {
                begun.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
            });
        }
        begun.await();
        List<Runnable> given = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Runnable task = new Runnable() {
                @Override
                public void run() {
                    throw new AssertionError("was handed back");
                }
            };
            given.add(task);
            executor.execute(task);
        }
        Runnable keyed = () -> { };
        executor.forKey("k").execute(keyed);
        given.add(keyed);
        given.add((Runnable) executor.schedule(() -> { }, 1, TimeUnit.HOURS));
        assertThat(executor.shutdownNow()).containsExactlyInAnyOrderElementsOf(given);
        interrupted.await();
        assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(executor.shutdownNow()).isEmpty();
        assertThat(executor.stats().failed()).isZero();
    }

    @Test
    void closesLikeEveryExecutorService() throws Exception {
        LockFreeExecutor executor = executor(1);
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean stopped = new AtomicBoolean();
        executor.execute(() -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                stopped.set(true);
            }
        });
        begun.await();
        Thread.currentThread().interrupt();
        executor.close();
        assertThat(Thread.interrupted()).as("close stops the tasks when interrupted, and keeps the flag").isTrue();
        assertThat(stopped).isTrue();
        assertThat(executor.isTerminated()).isTrue();
        executor.close();
    }

    @Test
    void throwsFromAwaitTerminationWhenInterrupted() {
        try (LockFreeExecutor executor = executor(1)) {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> executor.awaitTermination(1, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void invokesAllAndReturnsTheirFuturesInOrder(int workers) throws Exception {
        try (LockFreeExecutor executor = executor(workers)) {
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                int number = i;
                tasks.add(() -> number);
            }
            List<Integer> results = new ArrayList<>();
            for (Future<Integer> future : executor.invokeAll(tasks)) {
                assertThat(future.isDone()).isTrue();
                results.add(future.get());
            }
            assertThat(results).hasSize(20).isSorted();
        }
    }

    @Test
    void cancelsWhatInvokeAllCouldNotFinishInTime() throws Exception {
        try (LockFreeExecutor executor = executor(1)) {
            List<Future<Object>> futures = executor.invokeAll(List.of(() -> {
                new CountDownLatch(1).await();
                return 1;
            }, () -> 2), 20, TimeUnit.MILLISECONDS);
            assertThat(futures).hasSize(2).allMatch(Future::isCancelled);
        }
    }

    @Test
    void cancelsWhatIsLeftWhenInvokeAllIsInterrupted() {
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch latch = new CountDownLatch(1);
        Runnable waiting = waitingFor(new CountDownLatch(1), latch);
        Thread caller = Thread.currentThread();
        try (LockFreeExecutor executor = executor(1)) {
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> executor.invokeAll(List.of(() -> {
                begun.incrementAndGet();
                caller.interrupt();
                waiting.run();
                return 1;
            }, begun::incrementAndGet)));
            latch.countDown();
        }
        assertThat(begun).hasValue(1);
    }

    @Test
    void cancelsWhatInvokeAnyDoesNotNeed() throws Exception {
        try (LockFreeExecutor executor = executor(2)) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch interrupted = new CountDownLatch(1);
            assertThat(executor.<String>invokeAny(List.of(() -> {
                begun.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
                return "slow";
            }, () -> {
                begun.await();
                return "fast";
            }))).isEqualTo("fast");
            assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
            assertThatIllegalArgumentException().isThrownBy(() -> executor.invokeAny(List.of()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void invokesAnyAndReturnsTheFirstThatSucceeds(int workers) throws Exception {
        try (LockFreeExecutor executor = executor(workers)) {
            assertThat(executor.<String>invokeAny(List.of(() -> {
                throw new IllegalStateException();
            }, () -> "second"))).isEqualTo("second");
            assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> executor.<String>invokeAny(List.of(() -> {
                throw new IllegalStateException();
            })));
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> executor.<String>invokeAny(List.of(() -> {
                new CountDownLatch(1).await();
                return "";
            }), 10, TimeUnit.MILLISECONDS));
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
            executor.submit(() -> { }).get();
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
                assertThat(executor.submit(() -> Thread.currentThread().isInterrupted()).get()).isFalse();
            }
        }
    }

    @Test
    void tellsTheHandlerForUncaughtExceptionsAndGoesOnAfterATaskThrew() throws Exception {
        List<Throwable> seen = Collections.synchronizedList(new ArrayList<>());
        try (LockFreeExecutor executor = LockFreeExecutor.builder().threadFactory(task -> {
            Thread thread = new Thread(task);
            thread.setUncaughtExceptionHandler((where, e) -> {
                seen.add(e);
                throw new IllegalStateException("a handler that throws as well");
            });
            return thread;
        }).build()) {
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
                }).get();
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
        try (LockFreeExecutor executor = LockFreeExecutor.builder().workers(3).waitStrategy(parking)
                .threadFactory(Thread.ofVirtual().factory()).build()) {
            assertThat(executor.submit(() -> Thread.currentThread().isVirtual()).get()).isTrue();
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
                    executor.submit(() -> { }).get(10, TimeUnit.SECONDS);
                }
                latch.countDown();
            }
        }
    }

    @Test
    void countsWhatItDoesAndHowLongItTakes() throws Exception {
        try (LockFreeExecutor executor = executor(1)) {
            for (int i = 0; i < 20; i++) {
                executor.submit(() -> { }).get();
            }
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch latch = new CountDownLatch(1);
            executor.execute(waitingFor(begun, latch));
            begun.await();
            executor.execute(() -> { });
            executor.schedule(() -> { }, 1, TimeUnit.HOURS).cancel(false);
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
