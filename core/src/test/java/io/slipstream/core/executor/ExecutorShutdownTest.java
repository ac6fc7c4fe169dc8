package io.slipstream.core.executor;

import static io.slipstream.core.executor.ExecutorFixture.executor;
import static io.slipstream.core.executor.ExecutorFixture.waitingFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.slipstream.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of ExecutorService at its end, one sentence each, for one worker and for several. */
class ExecutorShutdownTest {
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
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> executor.execute(() -> {}))
                .withMessageContaining("executor 'test' was shut down");
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> executor.schedule(() -> {}, 1, TimeUnit.SECONDS))
                .withMessageContaining("was shut down");
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> executor.forKey(1).execute(() -> {}))
                .withMessageContaining("was shut down");
        assertThat(executor.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
        latch.countDown();
        Await.ended(executor);
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
        Runnable keyed = () -> {};
        executor.forKey("k").execute(keyed);
        given.add(keyed);
        given.add((Runnable) executor.schedule(() -> {}, 1, TimeUnit.HOURS));
        assertThat(executor.shutdownNow()).containsExactlyInAnyOrderElementsOf(given);
        interrupted.await();
        Await.ended(executor);
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
        assertThat(Thread.interrupted())
                .as("close stops the tasks when interrupted, and keeps the flag")
                .isTrue();
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

    @Test
    void acceptsNothingAfterItHasSaidThatItWasShutDown() throws Exception {
        for (int i = 0; i < 300; i++) {
            LockFreeExecutor executor = LockFreeExecutor.builder().capacity(4).build();
            Thread closer = Thread.ofPlatform().start(i % 2 == 0 ? executor::shutdown : executor::shutdownNow);
            while (!executor.isShutdown()) {
                Thread.onSpinWait();
            }
            assertThat(executor.tryExecute(() -> {})).isFalse();
            assertThat(executor.forKey(1).tryExecute(() -> {})).isFalse();
            assertThatExceptionOfType(RejectedExecutionException.class)
                    .isThrownBy(() -> executor.schedule(() -> {}, 0, TimeUnit.SECONDS));
            closer.join();
            Await.ended(executor);
        }
    }

    @Test
    @SuppressWarnings({"DataFlowIssue", "NullAway"})
    void awaitsTheTerminationForNoTimeWhereNoneIsGiven() throws Exception {
        LockFreeExecutor executor = executor(1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch latch = new CountDownLatch(1);
        executor.execute(waitingFor(begun, latch));
        begun.await();
        executor.shutdown();
        assertThat(executor.awaitTermination(0, TimeUnit.DAYS)).isFalse();
        assertThat(executor.awaitTermination(Long.MIN_VALUE, TimeUnit.DAYS)).isFalse();
        assertThatNullPointerException().isThrownBy(() -> executor.awaitTermination(1, null));
        latch.countDown();
        Await.ended(executor);
        assertThat(executor.awaitTermination(0, TimeUnit.DAYS)).isTrue();
        assertThat(executor.awaitTermination(-1, TimeUnit.DAYS)).isTrue();
    }
}
