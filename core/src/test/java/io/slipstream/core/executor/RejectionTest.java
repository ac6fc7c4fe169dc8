package io.slipstream.core.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens when there is no place left, for each policy, with one worker that is held up. */
class RejectionTest {
    private static final Set<Thread.State> PARKED = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private final CountDownLatch release = new CountDownLatch(1);
    private final List<String> ran = new ArrayList<>();
    private LockFreeExecutor executor = fullAfterTwo(RejectionPolicy.abort());

    /** Replaces the executor by one whose worker is busy and that has two places. */
    private LockFreeExecutor fullAfterTwo(RejectionPolicy policy) {
        LockFreeExecutor created = LockFreeExecutor.builder()
                .name("small")
                .capacity(2)
                .rejectionPolicy(policy)
                .build();
        CountDownLatch begun = new CountDownLatch(1);
        created.execute(() -> {
            begun.countDown();
            awaitRelease();
        });
        try {
            begun.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return created;
    }

    private void awaitRelease() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void use(RejectionPolicy policy) {
        executor.shutdownNow();
        executor = fullAfterTwo(policy);
    }

    private Runnable noting(String name) {
        return () -> ran.add(name);
    }

    private void finish() {
        release.countDown();
        executor.close();
    }

    @AfterEach
    void stop() {
        release.countDown();
        executor.shutdownNow();
    }

    @Test
    void throwsUnlessToldOtherwise() {
        executor.execute(noting("a"));
        executor.execute(noting("b"));
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> executor.execute(noting("c")))
                .withMessageContaining("executor 'small' has no place left");
        assertThat(executor.tryExecute(noting("d"))).isFalse();
        assertThat(executor.stats().rejected()).isEqualTo(1);
        finish();
        assertThat(ran).containsExactly("a", "b");
    }

    @Test
    void runsTheTaskInTheCaller() {
        use(RejectionPolicy.callerRuns());
        executor.execute(noting("a"));
        executor.execute(noting("b"));
        executor.execute(() -> ran.add("c on " + Thread.currentThread().getName()));
        assertThat(ran).containsExactly("c on " + Thread.currentThread().getName());
        finish();
        executor.execute(noting("after the shutdown"));
        assertThat(ran).endsWith("a", "b");
    }

    @Test
    void dropsTheTaskAndCancelsItsFuture() {
        use(RejectionPolicy.discard());
        executor.execute(noting("a"));
        executor.execute(noting("b"));
        Future<?> dropped = executor.submit(noting("c"));
        assertThat(dropped.isCancelled()).isTrue();
        finish();
        assertThat(ran).containsExactly("a", "b");
    }

    @Test
    void dropsTheOldestTaskAndCancelsItsFuture() {
        use(RejectionPolicy.discardOldest());
        Future<?> dropped = executor.submit(noting("a"));
        executor.execute(noting("b"));
        executor.execute(noting("c"));
        assertThat(dropped.isCancelled()).isTrue();
        finish();
        executor.execute(noting("after the shutdown"));
        assertThat(ran).containsExactly("b", "c");
    }

    @Test
    void tellsWhatItHasReplaced() {
        List<Runnable> replaced = new ArrayList<>();
        use((task, target) ->
                assertThat(target.tryReplaceOldest(task, replaced::add)).isTrue());
        Runnable plain = noting("a");
        Runnable keyed = noting("b");
        executor.execute(plain);
        executor.execute(noting("c"));
        executor.execute(noting("d"));
        executor.forKey("k").execute(keyed);
        executor.forKey("k").execute(noting("e"));
        executor.forKey("k").execute(noting("f"));
        assertThat(replaced).containsExactly(plain, keyed);
        finish();
        assertThat(executor.tryReplaceOldest(noting("g"), replaced::add)).isFalse();
        assertThat(executor.forKey("k").tryReplaceOldest(noting("g"), replaced::add))
                .isFalse();
        assertThat(ran).containsExactlyInAnyOrder("c", "d", "e", "f");
    }

    @Test
    void dropsTheOldestTaskOfTheSameKey() {
        use(RejectionPolicy.discardOldest());
        Executor keyed = executor.forKey("k");
        keyed.execute(noting("a"));
        keyed.execute(noting("b"));
        keyed.execute(noting("c"));
        finish();
        assertThat(ran).containsExactly("b", "c");
    }

    @Test
    void waitsForAPlaceAndThenAcceptsTheTask() throws Exception {
        use(RejectionPolicy.waitAtMost(Duration.ofSeconds(Long.MAX_VALUE)));
        executor.execute(noting("a"));
        executor.execute(noting("b"));
        Thread submitter = Thread.ofPlatform().start(() -> executor.execute(noting("c")));
        while (!PARKED.contains(submitter.getState())) {
            Thread.onSpinWait();
        }
        release.countDown();
        submitter.join();
        finish();
        assertThat(ran).containsExactly("a", "b", "c");
    }

    @Test
    void givesUpWaitingWhenTheTimeIsOver() throws Exception {
        use(RejectionPolicy.waitAtMost(Duration.ofMillis(5)));
        executor.execute(noting("a"));
        executor.execute(noting("b"));
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> executor.execute(noting("c")))
                .withMessageContaining("also after waiting as far as allowed");
        assertThat(executor.tryExecute(noting("d"), Duration.ofMillis(1))).isFalse();
    }

    @Test
    void looksForAPlaceEverMoreSeldomTheLongerItWaits() throws Exception {
        for (int places : new int[] {2, 1 << 20}) {
            List<Long> looks = new ArrayList<>();
            BooleanSupplier look = () -> {
                looks.add(System.nanoTime());
                return looks.size() == 200;
            };
            assertThat(new Submission(places).await(look, () -> false, Duration.ofHours(1)))
                    .isTrue();
            // A busy machine makes sleeps longer and never shorter.
            assertThat(looks.getLast() - looks.get(150))
                    .as("nanoseconds for 49 sleeps of 4 ms; with sleeps of 0.1 ms they were 5 million")
                    .isGreaterThan(100_000_000);
        }
    }

    @Test
    void givesUpWaitingWhenInterruptedAndKeepsTheFlag() {
        use(RejectionPolicy.waitAtMost(Duration.ofDays(1)));
        executor.execute(noting("a"));
        executor.execute(noting("b"));
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> executor.execute(noting("c")))
                .withMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void givesUpWaitingWhenShutDown() throws Exception {
        use(RejectionPolicy.waitAtMost(Duration.ofDays(1)));
        executor.execute(noting("a"));
        executor.execute(noting("b"));
        FutureTask<Boolean> refused = new FutureTask<>(() -> {
            try {
                executor.execute(noting("c"));
                return false;
            } catch (RejectedExecutionException e) {
                return true;
            }
        });
        Thread submitter = Thread.ofPlatform().start(refused);
        while (!PARKED.contains(submitter.getState())) {
            Thread.onSpinWait();
        }
        executor.shutdown();
        assertThat(refused.get()).isTrue();
    }

    @Test
    void doesNotLetAWorkerWaitForItselfAndSaysSo() throws Exception {
        use(RejectionPolicy.waitAtMost(Duration.ofDays(1)));
        FutureTask<String> refused = new FutureTask<>(() -> {
            try {
                for (int i = 0; i < 3; i++) {
                    executor.execute(() -> {});
                }
                return "accepted";
            } catch (RejectedExecutionException e) {
                return e.getMessage();
            }
        });
        executor.execute(refused);
        release.countDown();
        assertThat(refused.get())
                .contains("executor 'small' has no place left")
                .contains("its own worker")
                .contains("would wait for itself")
                .contains("give it more places, or submit from another thread");
    }

    @Test
    @SuppressWarnings({"DataFlowIssue", "NullAway"})
    void refusesLimitsThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RejectionPolicy.waitAtMost(Duration.ofSeconds(-1)))
                .withMessageContaining("PT-1S");
        assertThatNullPointerException().isThrownBy(() -> RejectionPolicy.waitAtMost(null));
        assertThatNullPointerException()
                .as("though there is a place")
                .isThrownBy(() -> executor.tryExecute(() -> {}, null));
        assertThatNullPointerException()
                .as("though there is a place")
                .isThrownBy(() -> executor.forKey(1).tryExecute(() -> {}, null));
        assertThat(executor.stats().depth() + executor.stats().keyedDepth()).isZero();
    }

    @Test
    void boundsTheTasksOfAllKeysTogether() {
        executor.forKey(1).execute(noting("a"));
        executor.forKey(2).execute(noting("b"));
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> executor.forKey(3).execute(noting("c")))
                .withMessageContaining("for key 3 has no place left");
        finish();
        assertThat(ran).containsExactly("a", "b");
    }

    @Test
    void boundsTheTimers() {
        try (LockFreeExecutor few = LockFreeExecutor.builder().maxTimers(1).build()) {
            Future<?> first = few.schedule(() -> {}, 1, java.util.concurrent.TimeUnit.HOURS);
            assertThatExceptionOfType(RejectedExecutionException.class)
                    .isThrownBy(() -> few.schedule(() -> {}, 1, java.util.concurrent.TimeUnit.HOURS))
                    .withMessageContaining("no place left for timers");
            first.cancel(false);
            few.schedule(() -> {}, 0, java.util.concurrent.TimeUnit.HOURS);
        }
    }
}
