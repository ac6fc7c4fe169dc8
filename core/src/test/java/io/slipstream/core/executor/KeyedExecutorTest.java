package io.slipstream.core.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KeyedExecutorTest {
    /** State without any synchronisation of its own, as tasks of one key may have. */
    private static final class Account {
        final AtomicBoolean inUse = new AtomicBoolean();
        final int[] lastOf = new int[4];
        long balance;

        void apply(int submitter, int number) {
            assertThat(inUse.compareAndSet(false, true)).as("one at a time").isTrue();
            assertThat(number).as("in order").isGreaterThan(lastOf[submitter]);
            lastOf[submitter] = number;
            balance++;
            inUse.set(false);
        }
    }

    /** A key that cannot be looked up. */
    private record Unusable() {
        @Override
        public int hashCode() {
            throw new IllegalStateException("no hash");
        }
    }

    @Test
    void aKeyThatThrowsTakesNoPlace() throws Exception {
        LockFreeExecutor executor = LockFreeExecutor.builder().capacity(4).build();
        for (int i = 0; i < 6; i++) {
            assertThatThrownBy(() -> executor.forKey(new Unusable()).execute(() -> {}))
                    .hasMessage("no hash");
        }
        assertThat(executor.stats().keyedDepth()).isZero();
        CountDownLatch ran = new CountDownLatch(1);
        executor.forKey("usable").execute(ran::countDown);
        executor.shutdown();
        Await.ended(executor);
        assertThat(ran.getCount()).isZero();
        assertThat(executor.stats().latency().samples())
                .as("the probe was freed too")
                .isOne();
    }

    @Test
    void runsTheTasksOfAKeyInOrderAndOneAtATimeWhoeverSubmits() throws Exception {
        int keys = 7;
        int perSubmitter = 30_000;
        List<Account> accounts = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            accounts.add(new Account());
        }
        LockFreeExecutor executor = LockFreeExecutor.builder()
                .workers(3)
                .capacity(64)
                .rejectionPolicy(RejectionPolicy.waitAtMost(Await.PATIENCE))
                .build();
        List<Thread> submitters = new ArrayList<>();
        for (int s = 0; s < 3; s++) {
            int submitter = s;
            submitters.add(Thread.ofPlatform().start(() -> {
                for (int i = 1; i <= perSubmitter; i++) {
                    int number = i;
                    int key = i % keys;
                    executor.forKey("key" + key).execute(() -> accounts.get(key).apply(submitter, number));
                }
            }));
        }
        for (Thread submitter : submitters) {
            submitter.join();
        }
        executor.close();
        assertThat(executor.stats().failed()).isZero();
        assertThat(accounts.stream().mapToLong(a -> a.balance).sum()).isEqualTo(3L * perSubmitter);
    }

    @Test
    void letsOtherKeysPassOneThatIsHeldUp() throws Exception {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().workers(2).build()) {
            CountDownLatch latch = new CountDownLatch(1);
            executor.forKey("slow").execute(() -> {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            CountDownLatch passed = new CountDownLatch(100);
            for (int i = 0; i < 100; i++) {
                executor.forKey("slow").execute(() -> {});
                executor.forKey(i).execute(passed::countDown);
            }
            Await.done(passed);
            latch.countDown();
        }
    }

    @Test
    void goesOnWithAKeyAfterOneOfItsTasksThrew() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        try (LockFreeExecutor executor = LockFreeExecutor.builder()
                .threadFactory(task -> {
                    Thread thread = new Thread(task);
                    thread.setUncaughtExceptionHandler((where, e) -> {});
                    return thread;
                })
                .build()) {
            for (int i = 0; i < 100; i++) {
                executor.forKey("k").execute(() -> {
                    runs.incrementAndGet();
                    throw new IllegalStateException();
                });
            }
        }
        assertThat(runs).hasValue(100);
    }

    @Test
    void forgetsIdleKeysWhenThereAreMany() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        try (LockFreeExecutor executor = LockFreeExecutor.builder()
                .workers(2)
                .rejectionPolicy(RejectionPolicy.waitAtMost(Await.PATIENCE))
                .build()) {
            for (int i = 0; i < 60_000; i++) {
                executor.forKey(i % 20_000).execute(runs::incrementAndGet);
            }
            executor.shutdown();
            Await.ended(executor);
            assertThat(executor.lanes.count()).isBetween(1, 4096);
        }
        assertThat(runs).hasValue(60_000);
    }
}
