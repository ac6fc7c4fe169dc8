package io.slipstream.testkit;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Waits for a condition, with the one patience of all tests: so long that only a defect exceeds it, also on a machine
 * that runs much else. A test that passes does not take longer because of it. It looks every millisecond at first and
 * less often later, so that what takes seconds has the processors for itself.
 */
public final class Await {
    private static final String PROPERTY = "slipstream.patience";

    /** How long a test waits before it fails: 60 s, times {@code slipstream.patience}. */
    public static final Duration PATIENCE = Duration.ofSeconds(60L * times());

    /** A maximum response time that no service keeps in a test: the longest that there is. */
    public static final Duration RESPONSE = Duration.ofMinutes(1);

    private static final long SHORTEST_PAUSE_NANOS = 1_000_000;
    private static final long LONGEST_PAUSE_NANOS = 20_000_000;

    /** A pause is at most this part of the time that has passed, so no wait gets longer by more than that. */
    private static final int PART = 16;

    private Await() {}

    /** Returns the option that gives another JVM the patience of this one. */
    public static String patience() {
        return "-D" + PROPERTY + "=" + times();
    }

    private static int times() {
        return Integer.getInteger(PROPERTY, 1);
    }

    /** Something that may throw what it likes, and then fails the test. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /** A value to look at. */
    @FunctionalInterface
    public interface Look<T> {
        T get() throws Exception;
    }

    /**
     * Returns when the condition holds.
     *
     * @throws AssertionError with {@code what}, if it does not within {@link #PATIENCE}
     */
    public static void until(String what, Condition condition) throws Exception {
        value(what, condition::holds, Boolean::booleanValue);
    }

    /**
     * As {@link #until(String, Condition)}, where a look is costly: with at least this pause between two.
     *
     * @throws AssertionError with {@code what}, if it does not within {@link #PATIENCE}
     */
    public static void until(String what, Duration pause, Condition condition) throws Exception {
        value(what, pause.toNanos(), condition::holds, Boolean::booleanValue);
    }

    /**
     * Looks until what it sees is wanted, and returns that.
     *
     * @throws AssertionError with {@code what} and what was seen last, if it is not within {@link #PATIENCE}
     */
    public static <T> T value(String what, Look<T> look, Predicate<? super T> wanted) throws Exception {
        return value(what, SHORTEST_PAUSE_NANOS, look, wanted);
    }

    private static <T> T value(String what, long leastPauseNanos, Look<T> look, Predicate<? super T> wanted)
            throws Exception {
        long begin = System.nanoTime();
        while (true) {
            T seen = look.get();
            if (wanted.test(seen)) {
                return seen;
            }
            long waited = System.nanoTime() - begin;
            if (waited > PATIENCE.toNanos()) {
                throw new AssertionError("not within " + PATIENCE.toSeconds() + " s: " + what + "; last seen: " + seen);
            }
            LockSupport.parkNanos(Math.max(leastPauseNanos, Math.min(waited / PART, LONGEST_PAUSE_NANOS)));
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while waiting for: " + what);
            }
        }
    }

    /**
     * Returns what a future was completed with.
     *
     * @throws AssertionError if it is not done within {@link #PATIENCE}
     * @throws ExecutionException if it was completed with a failure
     */
    public static <T> T done(Future<T> future) throws InterruptedException, ExecutionException {
        try {
            return future.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("not done within " + PATIENCE.toSeconds() + " s: " + future, e);
        }
    }

    /**
     * Returns when the latch was counted down to 0.
     *
     * @throws AssertionError if it is not within {@link #PATIENCE}
     */
    public static void done(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new AssertionError("not done within " + PATIENCE.toSeconds() + " s: " + latch);
        }
    }

    /** Returns when the executor, which was shut down, has terminated. */
    public static void ended(ExecutorService executor) throws InterruptedException {
        if (!executor.awaitTermination(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new AssertionError("runs on after " + PATIENCE.toSeconds() + " s: " + executor);
        }
    }

    /**
     * Returns what comes next in a queue.
     *
     * @throws AssertionError if nothing does within {@link #PATIENCE}
     */
    public static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        if (next == null) {
            throw new AssertionError("nothing came within " + PATIENCE.toSeconds() + " s");
        }
        return next;
    }

    /** Returns when the thread has ended. */
    public static void ended(Thread thread) throws InterruptedException {
        if (!thread.join(PATIENCE)) {
            AssertionError late =
                    new AssertionError(thread.getName() + " runs on after " + PATIENCE.toSeconds() + " s");
            late.setStackTrace(thread.getStackTrace());
            throw late;
        }
    }

    /** Returns the exit code of a process, which is killed if it does not end within {@link #PATIENCE}. */
    public static int exitCode(Process process) throws InterruptedException {
        if (!process.waitFor(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("runs on after " + PATIENCE.toSeconds() + " s: " + process.info());
        }
        return process.exitValue();
    }

    /** Starts {@code work} on a daemon thread; what it throws is in the future. */
    public static CompletableFuture<Void> inBackground(String name, Work work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                work.run();
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    /** Work that may throw. */
    @FunctionalInterface
    public interface Work {
        void run() throws Exception;
    }
}
