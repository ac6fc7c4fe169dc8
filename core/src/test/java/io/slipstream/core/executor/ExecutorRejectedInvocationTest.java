package io.slipstream.core.executor;

import static io.slipstream.core.executor.ExecutorFixture.waitingFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * invokeAny and invokeAll of tasks that a policy deals with, beside {@link ThreadPoolExecutor} with the same policy.
 */
class ExecutorRejectedInvocationTest {
    private static final int PLACES = 2;
    private static final int LOOKS = 20;
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final String WAITS = "waits for a result";

    private final CountDownLatch release = new CountDownLatch(1);
    private final List<ExecutorService> executors = new ArrayList<>();

    /** A policy, and the JDK's that does the same. */
    private enum Policy {
        ABORT(RejectionPolicy.abort(), new ThreadPoolExecutor.AbortPolicy()),
        WAIT(RejectionPolicy.waitAtMost(Duration.ofMillis(1)), new ThreadPoolExecutor.AbortPolicy()),
        CALLER_RUNS(RejectionPolicy.callerRuns(), new ThreadPoolExecutor.CallerRunsPolicy()),
        DISCARD(RejectionPolicy.discard(), new ThreadPoolExecutor.DiscardPolicy()),
        DISCARD_OLDEST(RejectionPolicy.discardOldest(), new ThreadPoolExecutor.DiscardOldestPolicy());

        final RejectionPolicy policy;
        final RejectedExecutionHandler twin;

        Policy(RejectionPolicy policy, RejectedExecutionHandler twin) {
            this.policy = policy;
            this.twin = twin;
        }
    }

    /** Why there is no place. */
    private enum Reason {
        FULL,
        SHUT_DOWN
    }

    /** A call of one of the four methods. */
    private interface Invocation {
        Object invoke(ExecutorService executor, List<Callable<Integer>> tasks) throws Exception;
    }

    /** A call of one of the two that take a limit. */
    private interface LimitedInvocation {
        Object invoke(ExecutorService executor, List<Callable<Integer>> tasks, long nanos) throws Exception;
    }

    private LockFreeExecutor own(Policy policy, Reason reason) throws InterruptedException {
        LockFreeExecutor executor = LockFreeExecutor.builder()
                .capacity(PLACES)
                .rejectionPolicy(policy.policy)
                .build();
        prepare(executor, reason);
        return executor;
    }

    private ThreadPoolExecutor twin(Policy policy, Reason reason) throws InterruptedException {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(PLACES), policy.twin);
        prepare(executor, reason);
        return executor;
    }

    private void prepare(ExecutorService executor, Reason reason) throws InterruptedException {
        executors.add(executor);
        CountDownLatch begun = new CountDownLatch(1);
        executor.execute(waitingFor(begun, release));
        begun.await();
        for (int i = 0; i < PLACES; i++) {
            executor.execute(() -> {});
        }
        if (reason == Reason.SHUT_DOWN) {
            executor.shutdown();
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        release.countDown();
        for (ExecutorService executor : executors) {
            executor.shutdownNow();
            Await.ended(executor);
        }
    }

    /** Returns what came of three invoked tasks, in words; a caller that waits for a result is interrupted. */
    private static String outcome(ExecutorService executor, Invocation invocation) throws InterruptedException {
        FutureTask<Object> result = invoke(executor, invocation);
        Thread caller = Thread.ofPlatform().daemon().start(result);
        for (int looks = 0; looks < LOOKS && caller.isAlive(); ) {
            looks = isWaitingForAResult(caller) ? looks + 1 : 0;
            caller.join(Duration.ofMillis(1));
        }
        if (caller.isAlive()) {
            caller.interrupt();
            Await.ended(caller);
            return WAITS;
        }
        return words(result);
    }

    /** Returns what came of three invoked tasks, in words. */
    private static String result(ExecutorService executor, Invocation invocation) throws InterruptedException {
        FutureTask<Object> result = invoke(executor, invocation);
        Await.ended(Thread.ofPlatform().daemon().start(result));
        return words(result);
    }

    private static FutureTask<Object> invoke(ExecutorService executor, Invocation invocation) {
        return new FutureTask<>(() -> invocation.invoke(executor, Collections.nCopies(PLACES + 1, () -> 7)));
    }

    /* Submitters wait for a place too, but then it is for an object of this project. */
    private static boolean isWaitingForAResult(Thread caller) {
        Object blocker = LockSupport.getBlocker(caller);
        return blocker != null && blocker.getClass().getName().startsWith("java.");
    }

    private static String words(FutureTask<Object> result) throws InterruptedException {
        try {
            return words(result.get());
        } catch (ExecutionException e) {
            return e.getCause().getClass().getSimpleName();
        }
    }

    private static String words(@Nullable Object result) {
        if (!(result instanceof List<?> futures)) {
            return "result " + result;
        }
        List<String> states = new ArrayList<>();
        for (Object future : futures) {
            states.add(((Future<?>) future).state().name());
        }
        return states.toString();
    }

    private void assertLikeTheJdk(Policy policy, Invocation invocation) throws InterruptedException {
        for (Reason reason : Reason.values()) {
            assertThat(outcome(own(policy, reason), invocation))
                    .as("%s", reason)
                    .isEqualTo(outcome(twin(policy, reason), invocation));
        }
    }

    private void assertKeepsLimitsLikeTheJdk(Policy policy, LimitedInvocation invocation) throws Exception {
        for (Reason reason : Reason.values()) {
            assertThat(outcome(() -> own(policy, reason), invocation))
                    .as("%s", reason)
                    .isEqualTo(outcome(() -> twin(policy, reason), invocation));
        }
    }

    /*
     * On a busy machine a short limit may be over before anything waits; so the limit is long, and short only for those
     * who would wait for the whole of it.
     */
    private static String outcome(Callable<ExecutorService> executor, LimitedInvocation invocation) throws Exception {
        String outcome = outcome(executor.call(), (target, tasks) -> invocation.invoke(target, tasks, LONG.toNanos()));
        return outcome.equals(WAITS)
                ? result(executor.call(), (target, tasks) -> invocation.invoke(target, tasks, SHORT.toNanos()))
                : outcome;
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void invokeAnyWithALimitKeepsIt(Policy policy) throws Exception {
        assertKeepsLimitsLikeTheJdk(
                policy, (executor, tasks, nanos) -> executor.invokeAny(tasks, nanos, TimeUnit.NANOSECONDS));
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void invokeAnyWithoutALimitWaitsForTasksThatWereDroppedAsWithTheJdk(Policy policy) throws Exception {
        assertLikeTheJdk(policy, ExecutorService::invokeAny);
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void invokeAllWithALimitKeepsIt(Policy policy) throws Exception {
        assertKeepsLimitsLikeTheJdk(
                policy, (executor, tasks, nanos) -> executor.invokeAll(tasks, nanos, TimeUnit.NANOSECONDS));
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void invokeAllWithoutALimitDoesNotWaitForTasksThatWereDropped(Policy policy) throws Exception {
        for (Reason reason : Reason.values()) {
            String expected = outcome(twin(policy, reason), ExecutorService::invokeAll);
            boolean allAreDropped =
                    expected.equals(WAITS) && (policy != Policy.DISCARD_OLDEST || reason == Reason.SHUT_DOWN);
            assertThat(outcome(own(policy, reason), ExecutorService::invokeAll))
                    .as("%s", reason)
                    .isEqualTo(allAreDropped ? "[CANCELLED, CANCELLED, CANCELLED]" : expected);
        }
    }
}
