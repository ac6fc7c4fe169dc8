package io.slipstream.core.executor;

import static io.slipstream.core.executor.ExecutorFixture.waitingFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * In which order busy workers take what waits. The test does their turns, in place of their threads, but for the last
 * ones.
 */
class ExecutorRoundTest {
    private static final int BATCH = 128;

    private final List<String> ran = new ArrayList<>();

    private static LockFreeExecutor withoutThreads(int workers) {
        return LockFreeExecutor.builder()
                .workers(workers)
                .capacity(1 << 13)
                .threadFactory(worker -> new Thread(worker) {
                    @Override
                    public void start() {
                        // See above.
                    }
                })
                .build();
    }

    private void fill(ExecutorWorker worker, int count, String name) {
        for (int i = 0; i < count; i++) {
            assertThat(worker.own[0].offer(() -> ran.add(name))).isTrue();
        }
    }

    private int runs(String name) {
        return Collections.frequency(ran, name);
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void dueTimersWaitForOneBatchOfOtherTasksAtMost() {
        LockFreeExecutor executor = withoutThreads(1);
        ExecutorWorker worker = executor.worker(0);
        fill(worker, 10 * BATCH, "plain");
        for (int i = 0; i < 200; i++) {
            executor.schedule(() -> ran.add("timer"), 0, TimeUnit.SECONDS);
        }
        await(() -> executor.timers.dueCount() == 200);
        worker.turn();
        assertThat(runs("plain")).isEqualTo(BATCH);
        assertThat(runs("timer")).isEqualTo(BATCH);
        worker.turn();
        assertThat(runs("plain")).isEqualTo(2 * BATCH);
        assertThat(runs("timer")).isEqualTo(200);
        executor.shutdownNow();
    }

    @Test
    void readyKeysWaitForOneBatchOfOtherTasksAtMost() {
        LockFreeExecutor executor = withoutThreads(1);
        ExecutorWorker worker = executor.worker(0);
        fill(worker, 10 * BATCH, "plain");
        for (int i = 0; i < 200; i++) {
            executor.forKey(i % 100).execute(() -> ran.add("keyed"));
        }
        worker.turn();
        assertThat(runs("plain")).isEqualTo(BATCH);
        assertThat(runs("keyed")).isEqualTo(BATCH);
        worker.turn();
        assertThat(runs("plain")).isEqualTo(2 * BATCH);
        assertThat(runs("keyed")).isEqualTo(200);
        executor.shutdownNow();
    }

    @Test
    void manyTasksOfOneKeyLeaveOtherTasksTheirTurn() {
        LockFreeExecutor executor = withoutThreads(1);
        ExecutorWorker worker = executor.worker(0);
        for (int i = 0; i < 10 * BATCH; i++) {
            executor.forKey("key").execute(() -> ran.add("keyed"));
        }
        fill(worker, 2 * BATCH, "plain");
        worker.turn();
        worker.turn();
        assertThat(runs("plain")).isEqualTo(2 * BATCH);
        assertThat(runs("keyed")).isEqualTo(2 * BATCH);
        executor.shutdownNow();
    }

    @Test
    void aBusyWorkerTakesFromANeighbourThatStandsStill() {
        LockFreeExecutor executor = withoutThreads(2);
        fill(executor.worker(0), 10 * BATCH, "own");
        fill(executor.worker(1), 10, "neighbour's");
        executor.worker(0).turn();
        assertThat(runs("neighbour's")).as("the first look cannot know").isZero();
        executor.worker(0).turn();
        assertThat(runs("neighbour's")).isEqualTo(10);
        assertThat(runs("own")).isEqualTo(2 * BATCH);
        executor.shutdownNow();
    }

    @Test
    void aBusyWorkerLooksAtAllItsNeighboursInTurn() {
        LockFreeExecutor executor = withoutThreads(4);
        fill(executor.worker(1), 10 * BATCH, "own");
        for (int neighbour : new int[] {0, 2, 3}) {
            fill(executor.worker(neighbour), 1, "of " + neighbour);
        }
        for (int i = 0; i < 6; i++) {
            executor.worker(1).turn();
        }
        assertThat(ran).contains("of 0", "of 2", "of 3");
        executor.shutdownNow();
    }

    @Test
    void aBusyWorkerTakesNothingFromANeighbourThatGoesOn() {
        LockFreeExecutor executor = withoutThreads(2);
        fill(executor.worker(0), 8 * BATCH, "own");
        fill(executor.worker(1), 10 * BATCH, "neighbour's");
        for (int i = 1; i <= 7; i++) {
            executor.worker(1).turn();
            executor.worker(0).turn();
            assertThat(runs("neighbour's")).isEqualTo(i * BATCH);
        }
        executor.shutdownNow();
    }

    @Test
    void shortTasksDoNotWaitForTheLongOneBeforeThemThoughAllWorkersAreBusy() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(100);
        AtomicInteger left = new AtomicInteger(1);
        try (LockFreeExecutor executor = LockFreeExecutor.builder().workers(2).build()) {
            try {
                executor.execute(waitingFor(begun, end));
                begun.await();
                keepBusy(executor, left);
                for (int worker = 0; worker < 2; worker++) {
                    for (int i = 0; i < 50; i++) {
                        assertThat(executor.worker(worker).own[0].offer(done::countDown))
                                .isTrue();
                    }
                }
                assertThat(done.await(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as("before the long one has ended")
                        .isTrue();
            } finally {
                left.set(0);
                end.countDown();
            }
        }
    }

    /** Adds a load that renews itself, on the queue of the worker that has it. */
    private static void keepBusy(LockFreeExecutor executor, AtomicInteger left) {
        for (int i = 0; i < 4; i++) {
            executor.execute(new Runnable() {
                @Override
                public void run() {
                    int mine = executor.worker(0).thread() == Thread.currentThread() ? 0 : 1;
                    assertThat(left.get() == 0 || executor.worker(mine).own[0].offer(this))
                            .isTrue();
                }
            });
        }
    }
}
