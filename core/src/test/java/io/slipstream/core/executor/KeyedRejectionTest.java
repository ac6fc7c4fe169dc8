package io.slipstream.core.executor;

import static io.slipstream.core.executor.ExecutorFixture.waitingFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys whose oldest task is discarded while every worker is held up. */
class KeyedRejectionTest {
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<Integer> ran = new CopyOnWriteArrayList<>();
    private final LockFreeExecutor executor = LockFreeExecutor.builder()
            .capacity(2)
            .rejectionPolicy(RejectionPolicy.discardOldest())
            .threadFactory(Thread.ofPlatform().daemon().factory())
            .build();

    @BeforeEach
    void holdTheWorkerUp() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        executor.execute(waitingFor(begun, release));
        begun.await();
    }

    @AfterEach
    void end() {
        release.countDown();
        executor.shutdownNow();
    }

    private void finish() throws InterruptedException {
        release.countDown();
        executor.shutdown();
        assertThat(executor.awaitTermination(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("%s", executor.stats())
                .isTrue();
    }

    @Test
    void aKeyOfWhichNoTaskWaitsDropsTheNewOneWhereOtherKeysHaveAllThePlaces() throws Exception {
        executor.forKey("a").execute(() -> ran.add(1));
        executor.forKey("b").execute(() -> ran.add(2));
        FutureTask<Boolean> dropped = new FutureTask<>(() -> ran.add(3));
        executor.forKey("c").execute(dropped);
        assertThat(dropped.isCancelled()).isTrue();
        finish();
        assertThat(ran).containsExactly(1, 2);
    }

    @Test
    void discardingForEverKeepsNothingOfWhatWasDiscarded() throws Exception {
        Runnable task = () -> ran.add(ran.size());
        var keyed = executor.forKey("k");
        for (int i = 0; i < 200_000; i++) {
            keyed.execute(task);
        }
        finish();
        assertThat(ran).containsExactly(0, 1);
    }

    @Test
    void discardingBesideOtherKeysLosesNoTaskAndEndsTheExecutor() throws Exception {
        int submitters = 3;
        int each = 20_000;
        List<Thread> threads = new ArrayList<>();
        List<Future<?>> futures = new CopyOnWriteArrayList<>();
        for (int s = 0; s < submitters; s++) {
            int submitter = s;
            threads.add(Thread.ofPlatform().start(() -> {
                List<Future<?>> own = new ArrayList<>();
                for (int i = 0; i < each; i++) {
                    FutureTask<?> task = new FutureTask<>(() -> null);
                    own.add(task);
                    executor.forKey((submitter + i) % 5).execute(task);
                }
                futures.addAll(own);
            }));
        }
        release.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        finish();
        assertThat(futures).hasSize(submitters * each).allMatch(Future::isDone);
        assertThat(executor.stats().failed()).isZero();
    }

    @Test
    void aTaskOfAKeyThatSubmitsToItsOwnKeyDoesNotWaitForItself() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (LockFreeExecutor small = LockFreeExecutor.builder()
                .capacity(1)
                .rejectionPolicy(RejectionPolicy.discardOldest())
                .threadFactory(Thread.ofPlatform().daemon().factory())
                .build()) {
            small.forKey("a").execute(() -> {
                small.forKey("a").execute(() -> ran.add(1));
                small.forKey("a").execute(() -> ran.add(2));
                done.countDown();
            });
            Await.done(done);
        }
        assertThat(ran)
                .as("a running task has no place, the second one takes that of the first")
                .containsExactly(2);
    }
}
