package io.slipstream.core.executor;

import static io.slipstream.core.executor.ExecutorFixture.waitingFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Timers and threads of an executor that is stopped, or cannot start. */
class ExecutorStopTest {
    private static final ThreadFactory DAEMON = Thread.ofPlatform().daemon().factory();

    @Test
    void aTimerThatIsScheduledBesideShutdownNowKeepsNothingAlive() throws Exception {
        for (int round = 0; round < 150; round++) {
            LockFreeExecutor executor =
                    LockFreeExecutor.builder().threadFactory(DAEMON).build();
            List<ScheduledFuture<?>> accepted = new ArrayList<>();
            CountDownLatch go = new CountDownLatch(1);
            Thread submitter = Thread.ofPlatform().start(() -> {
                try {
                    go.await();
                    for (int i = 0; i < 50; i++) {
                        accepted.add(executor.schedule(() -> {}, 1, TimeUnit.HOURS));
                    }
                } catch (InterruptedException | RejectedExecutionException e) {
                    // The executor was shut down, as it should be.
                }
            });
            go.countDown();
            for (int i = 20 * round; i > 0; i--) {
                Thread.onSpinWait();
            }
            List<Runnable> handedBack = executor.shutdownNow();
            submitter.join();
            assertThat(executor.awaitTermination(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("round %s: %s", round, executor.stats())
                    .isTrue();
            assertThat(accepted)
                    .as("handed back or cancelled, and never both")
                    .allMatch(task -> task.isCancelled() != handedBack.contains(task));
        }
    }

    /** The next time of these never comes. */
    @Test
    void thePeriodOfATaskMayBeAsLongAsALongCanSay() throws Exception {
        LockFreeExecutor executor =
                LockFreeExecutor.builder().threadFactory(DAEMON).build();
        CountDownLatch ran = new CountDownLatch(3);
        executor.scheduleAtFixedRate(ran::countDown, 0, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        executor.scheduleAtFixedRate(ran::countDown, 0, Long.MAX_VALUE, TimeUnit.DAYS);
        executor.scheduleWithFixedDelay(ran::countDown, 0, Long.MAX_VALUE, TimeUnit.DAYS);
        Await.done(ran);
        assertThat(Await.done(executor.submit(() -> 7))).isEqualTo(7);
        Await.done(executor.schedule(() -> {}, 1, TimeUnit.MILLISECONDS));
        executor.shutdown();
        assertThat(executor.awaitTermination(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("%s", executor.stats())
                .isTrue();
    }

    @Test
    void dueTimersForWhichThereWasNoPlaceAreHandedBackToo() throws Exception {
        for (int round = 0; round < 5; round++) {
            AtomicInteger runs = new AtomicInteger();
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch latch = new CountDownLatch(1);
            int tasks = 20_000;
            LockFreeExecutor executor =
                    LockFreeExecutor.builder().threadFactory(DAEMON).build();
            executor.execute(waitingFor(begun, latch));
            begun.await();
            for (int i = 0; i < tasks; i++) {
                executor.schedule(runs::incrementAndGet, 1, TimeUnit.MILLISECONDS);
            }
            LockSupport.parkNanos(1_000_000L * 20 * round);
            List<Runnable> handedBack = executor.shutdownNow();
            latch.countDown();
            assertThat(executor.awaitTermination(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("%s", executor.stats())
                    .isTrue();
            assertThat(runs).as("run after shutdownNow").hasValue(0);
            assertThat(handedBack).hasSize(tasks).doesNotHaveDuplicates();
        }
    }

    @Test
    void shutdownNowHandsPeriodicTasksBackAsTheJdkDoes() throws Exception {
        LockFreeExecutor executor = LockFreeExecutor.builder().build();
        ScheduledFuture<?> periodic = executor.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS);
        assertThat(executor.shutdownNow()).singleElement().isSameAs(periodic);
        Await.ended(executor);
        assertThat(periodic.isDone()).isFalse();
    }

    @Test
    void endsTheThreadsThatRunWhenAnotherCannotStart() throws Exception {
        List<Thread> made = new ArrayList<>();
        ThreadFactory factory = task -> {
            made.add(
                    made.isEmpty()
                            ? new Thread(task)
                            : new Thread(task) {
                                @Override
                                public void start() {
                                    throw new OutOfMemoryError("unable to create native thread");
                                }
                            });
            return made.getLast();
        };
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> LockFreeExecutor.builder()
                        .workers(3)
                        .threadFactory(factory)
                        .build());
        Await.ended(made.getFirst());
    }

    @ParameterizedTest
    @MethodSource("sleeping")
    void restsAfterATaskWasInterrupted(WaitStrategy strategy) throws Exception {
        try (LockFreeExecutor executor =
                LockFreeExecutor.builder().waitStrategy(strategy).build()) {
            CountDownLatch begun = new CountDownLatch(1);
            Thread[] worker = new Thread[1];
            Future<?> task = executor.submit(() -> {
                worker[0] = Thread.currentThread();
                begun.countDown();
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
            });
            begun.await();
            task.cancel(true);
            awaitMostlyResting(worker[0]);
        }
    }

    /** Waits until the thread uses less than half of a processor for a while. */
    private static void awaitMostlyResting(Thread thread) {
        var threads = ManagementFactory.getThreadMXBean();
        long used;
        long begin;
        do {
            begin = System.nanoTime();
            used = threads.getThreadCpuTime(thread.threadId());
            LockSupport.parkNanos(100_000_000);
        } while (thread.isInterrupted()
                || 2 * (threads.getThreadCpuTime(thread.threadId()) - used) > System.nanoTime() - begin);
    }

    static Stream<WaitStrategy> sleeping() {
        return Stream.of(WaitStrategy.backoff(), WaitStrategy.parking());
    }

    @Test
    void hasAtLeastThePlacesItWasAskedFor() {
        for (int workers = 1; workers <= 4; workers++) {
            for (int places = 1; places <= 20; places++) {
                try (LockFreeExecutor executor = LockFreeExecutor.builder()
                        .workers(workers)
                        .capacity(places)
                        .build()) {
                    assertThat(executor.stats().capacity())
                            .as("%s workers", workers)
                            .isGreaterThanOrEqualTo(places);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("spinning")
    void measuresEachTaskWhileThereAreFewWhicheverWayItWaits(WaitStrategy strategy) throws Exception {
        try (LockFreeExecutor executor =
                LockFreeExecutor.builder().waitStrategy(strategy).build()) {
            for (int i = 1; i <= 20; i++) {
                executor.submit(() -> {}).get();
                while (!executor.probe.isFree()) {
                    Thread.yield();
                }
                assertThat(executor.stats().latency().samples()).isEqualTo(i);
            }
        }
    }

    static Stream<WaitStrategy> spinning() {
        return Stream.of(WaitStrategy.yielding(), WaitStrategy.parking());
    }
}
