package io.slipstream.core.executor;

import static io.slipstream.core.executor.ExecutorFixture.executor;
import static io.slipstream.core.executor.ExecutorFixture.waitingFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.slipstream.testkit.Await;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of invokeAll and invokeAny, one sentence each. */
class ExecutorInvocationTest {
    /** One of the four methods. */
    private interface Invocation {
        Object invoke(LockFreeExecutor executor, List<Callable<Integer>> tasks) throws Exception;
    }

    private static final List<Invocation> INVOCATIONS = List.of(
            LockFreeExecutor::invokeAll,
            LockFreeExecutor::invokeAny,
            (executor, tasks) -> executor.invokeAll(tasks, 1, TimeUnit.HOURS),
            (executor, tasks) -> executor.invokeAny(tasks, 1, TimeUnit.HOURS));

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
            List<Future<Object>> futures = executor.invokeAll(
                    List.of(
                            () -> {
                                new CountDownLatch(1).await();
                                return 1;
                            },
                            () -> 2),
                    20,
                    TimeUnit.MILLISECONDS);
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
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> executor.invokeAll(List.of(
                            () -> {
                                begun.incrementAndGet();
                                caller.interrupt();
                                waiting.run();
                                return 1;
                            },
                            begun::incrementAndGet)));
            latch.countDown();
        }
        assertThat(begun).hasValue(1);
    }

    @Test
    void cancelsWhatInvokeAnyDoesNotNeed() throws Exception {
        try (LockFreeExecutor executor = executor(2)) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch interrupted = new CountDownLatch(1);
            assertThat(executor.<String>invokeAny(List.of(
                            () -> {
                                begun.countDown();
                                try {
                                    new CountDownLatch(1).await();
                                } catch (InterruptedException e) {
                                    interrupted.countDown();
                                }
                                return "slow";
                            },
                            () -> {
                                begun.await();
                                return "fast";
                            })))
                    .isEqualTo("fast");
            Await.done(interrupted);
            assertThatIllegalArgumentException().isThrownBy(() -> executor.invokeAny(List.of()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void invokesAnyAndReturnsTheFirstThatSucceeds(int workers) throws Exception {
        try (LockFreeExecutor executor = executor(workers)) {
            assertThat(executor.<String>invokeAny(List.of(
                            () -> {
                                throw new IllegalStateException();
                            },
                            () -> "second")))
                    .isEqualTo("second");
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> executor.<String>invokeAny(List.of(() -> {
                        throw new IllegalStateException();
                    })));
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> executor.<String>invokeAny(
                            List.of(() -> {
                                new CountDownLatch(1).await();
                                return "";
                            }),
                            10,
                            TimeUnit.MILLISECONDS));
        }
    }

    @Test
    void cancelsWhatIsLeftWhenInvokeAnyIsInterrupted() {
        CountDownLatch interrupted = new CountDownLatch(1);
        // The first task holds the only worker until the second one is cancelled, too.
        CountDownLatch cancelled = new CountDownLatch(1);
        AtomicInteger others = new AtomicInteger();
        Thread caller = Thread.currentThread();
        try (LockFreeExecutor executor = executor(1)) {
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> executor.invokeAny(List.of(
                            () -> {
                                caller.interrupt();
                                awaitInterruption(interrupted);
                                cancelled.await();
                                return 1;
                            },
                            others::incrementAndGet)));
            cancelled.countDown();
        }
        assertThat(interrupted.getCount()).isZero();
        assertThat(others).hasValue(0);
    }

    /** Waits until this thread is interrupted, and tells of it. */
    private static void awaitInterruption(CountDownLatch interrupted) {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            interrupted.countDown();
        }
    }

    @Test
    @SuppressWarnings({"DataFlowIssue", "NullAway"})
    void refusesNullAmongTheTasksAndCancelsThoseBeforeIt() {
        try (LockFreeExecutor executor = executor(1)) {
            assertThatNullPointerException().isThrownBy(() -> executor.invokeAny(null));
            for (Invocation invocation : INVOCATIONS) {
                assertThatNullPointerException()
                        .isThrownBy(() -> invocation.invoke(executor, Collections.singletonList(null)));
                // If it was not cancelled it would wait for ever, and with it the end of the executor.
                assertThatNullPointerException()
                        .isThrownBy(() -> invocation.invoke(
                                executor,
                                Arrays.asList(
                                        () -> {
                                            awaitInterruption(new CountDownLatch(1));
                                            return 1;
                                        },
                                        null)));
            }
        }
    }

    @Test
    void cancelsWhatWasAcceptedWhenALaterTaskIsRejected() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch latch = new CountDownLatch(1);
        try (LockFreeExecutor executor = LockFreeExecutor.builder().capacity(2).build()) {
            executor.execute(waitingFor(begun, latch));
            begun.await();
            Callable<Integer> task = runs::incrementAndGet;
            assertThatExceptionOfType(RejectedExecutionException.class)
                    .isThrownBy(() -> executor.invokeAll(List.of(task, task, task)));
            assertThat(executor.stats().depth())
                    .as("cancelled ones keep their places until their turn")
                    .isEqualTo(2);
            assertThatExceptionOfType(RejectedExecutionException.class)
                    .isThrownBy(() -> executor.invokeAny(List.of(task)));
            latch.countDown();
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void refusesInvocationsAfterShutdown() {
        AtomicInteger runs = new AtomicInteger();
        LockFreeExecutor executor = executor(1);
        executor.close();
        for (Invocation invocation : INVOCATIONS) {
            assertThatExceptionOfType(RejectedExecutionException.class)
                    .isThrownBy(() -> invocation.invoke(executor, List.of(runs::incrementAndGet)));
        }
        assertThat(runs).hasValue(0);
    }
}
