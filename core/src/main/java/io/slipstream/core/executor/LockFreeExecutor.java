package io.slipstream.core.executor;

import io.slipstream.core.thread.WaitStrategy;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * An {@link java.util.concurrent.ExecutorService} and {@link ScheduledExecutorService} of a fixed number of workers around bounded queues.
 * Submitting and running a task takes no lock. The first delayed task adds a thread that sleeps until one is due.
 *
 * <p>Each worker has a queue. A submitter puts its task into one of them with one compare-and-set, and allocates nothing; a worker that finds its
 * own queue empty takes from the others. Idle workers wait as the {@link WaitStrategy} says; with a parking one they use no processor, and
 * while none of them rests a submitter pays one read for that. With one worker, tasks run in the order in which they were submitted.
 *
 * <p>Who waits for whom, where there is a place for the task:
 * <ul>
 * <li>{@code execute} waits for nobody. Nor do {@code schedule} and cancelling; but the first delayed task starts the thread, under a lock.
 * <li>{@code execute} of a known {@linkplain #forKey key} neither, but for one case: so many keys have come to wait for a worker since one
 * stopped in the midst of taking one that its place is the next one, and not free yet. An unknown key locks a part of the map of keys, as does
 * forgetting one while there are more than 4,096.
 * <li>A worker waits for nobody to take a task. The tasks of a queue are taken by one thread at a time, by a right that is tried and never
 * waited for: who finds it taken goes on with something else. So a worker that the system stops in the midst of taking holds up the tasks
 * of that queue until it runs again, and a submitter that is stopped in the midst of {@code execute} those behind its own; other queues go on.
 * <li>With the task of a key in its hands a worker may wait for a moment for the one that adds the next task of that key, replaces one, or takes
 * all back.
 * <li>{@link #tryReplaceOldest}, {@link #shutdownNow} and the thread of the timers wait for a moment for whoever takes from a queue or has the
 * timers; so do {@link #shutdown}, and asking a delayed task for its delay before that counts.
 * </ul>
 * All these moments are a few instructions of the other thread, longer only if the system stops it there; {@code shutdownNow} goes through all
 * tasks in one.
 *
 * <p>The contract is that of the interfaces. What they leave open:
 * <ul>
 * <li>A task for which there is no place goes to the {@link RejectionPolicy}; unless set otherwise that throws. A delayed one for which there is no
 * place is always refused by an exception, since nothing of it waits that could give way.
 * <li>What a task given to {@code execute} throws goes to its thread's handler for uncaught exceptions and is counted; the thread lives on.
 * <li>After {@code shutdown} delayed tasks still run, and periodic ones are cancelled; {@code shutdownNow} hands both back. So does
 * {@code ScheduledThreadPoolExecutor}.
 * <li>A task runs exactly once or is handed back by {@code shutdownNow}; one that is being submitted at that moment is refused, handed
 * back, cancelled if it is delayed, or runs with its thread interrupted.
 * <li>A delayed task never runs early; its tick is 66 microseconds.
 * </ul>
 */
public class LockFreeExecutor extends AbstractExecutorService implements ScheduledExecutorService, BoundedExecutor {
    final IdleSet idle;
    final LatencyProbe probe = new LatencyProbe();
    final KeyLanes lanes;
    final Submission submission;
    final Timers timers;
    private final String name;
    private final RejectionPolicy policy;
    private final TaskQueues queues;
    private final ExecutorWorkers workers;
    private final Lifecycle life;
    private final LongAdder rejected = new LongAdder();
    private volatile boolean closed;

    /** Not for others than the builder, and proofs. */
    LockFreeExecutor(Builder builder) {
        int count = builder.workers;
        this.name = builder.name;
        this.policy = builder.policy;
        this.queues = new TaskQueues(count, builder.stripes, builder.capacity);
        this.life = new Lifecycle(count);
        this.lanes = new KeyLanes(builder.capacity);
        this.submission = new Submission(builder.capacity);
        ThreadFactory factory = builder.threadFactory != null ? builder.threadFactory
                : Thread.ofPlatform().name(count == 1 ? name : name + "-", 0).daemon(false).priority(Thread.NORM_PRIORITY).factory();
        this.workers = new ExecutorWorkers(this, count, builder.waitStrategy, queues, factory);
        this.idle = new IdleSet(workers.signals());
        this.timers = new Timers(this, name, builder.maxTimers);
        start();
    }

    private void start() {
        boolean started = false;
        try {
            workers.start();
            started = true;
        } finally {
            if (!started) {
                // Nobody will get this executor, so nobody else could end the others.
                shutdownNow();
            }
        }
    }

    /** Returns a builder with one worker, 65,536 places, a parking wait strategy, and the policy to throw. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public void execute(Runnable task) {
        if (!tryExecute(task)) {
            reject(task, this);
        }
    }

    /** The policies know this class, and cancel what they drop of it. */
    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable task, T result) {
        return new FutureTask<>(task, result);
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
        return new FutureTask<>(task);
    }

    @Override
    public boolean tryExecute(Runnable task) {
        Runnable entry = probe.mayTake(Objects.requireNonNull(task, "task"));
        int home = queues.home();
        if (queues.offer(entry, home)) {
            if (!idle.isEmpty()) {
                idle.wakeOne(queues.worker(home));
            }
            return true;
        }
        LatencyProbe.unwrap(entry);
        return false;
    }

    @Override
    public boolean tryExecute(Runnable task, Duration limit) throws InterruptedException {
        Objects.requireNonNull(limit, "limit");
        return tryExecute(task) || submission.await(() -> tryExecute(task), this::isRefusing, limit);
    }

    @Override
    public boolean tryReplaceOldest(Runnable task, Consumer<? super Runnable> replaced) {
        Objects.requireNonNull(replaced, "replaced");
        while (!isShutdown()) {
            if (tryExecute(task)) {
                return true;
            }
            Runnable oldest = queues.withdraw();
            if (oldest != null) {
                replaced.accept(oldest);
            }
        }
        return false;
    }

    /** Returns false: a task may run in its submitter's thread, also where there is one worker. */
    @Override
    public boolean isOrdered() {
        return false;
    }

    /**
     * Returns an executor whose tasks run one at a time and in the order of their submission, together with those of every executor that was
     * returned for an equal key. Tasks of different keys run beside each other. All keys together have as many places as was said of
     * the executor itself, beside those. Up to 4,096 keys, and all that have tasks, are remembered; the objects must not change.
     */
    public BoundedExecutor forKey(Object key) {
        return new KeyedExecutor(this, key);
    }

    void reject(Runnable task, BoundedExecutor target) {
        rejected.increment();
        policy.rejected(task, target);
    }

    /** Returns whether waiting for a place is in vain: after shutdown, and for a worker, which would wait for itself. */
    boolean isRefusing() {
        return isShutdown() || isWorker();
    }

    @Override
    public boolean isWorker() {
        return workers.contains(Thread.currentThread());
    }

    final ExecutorWorker worker(int number) {
        return workers.get(number);
    }

    void wakeOne() {
        if (!idle.isEmpty()) {
            idle.wakeOne(0);
        }
    }

    void wakeAll() {
        idle.wakeAll();
    }

    boolean hasWork() {
        return !queues.isEmpty() || lanes.hasReady() || timers.hasDue();
    }

    /** Returns whether nothing is left and nothing can come any more. */
    boolean isDrained() {
        return isShutdown() && queues.isClosed() && !hasWork() && lanes.depth() == 0 && timers.isClosed()
                && timers.count() == 0;
    }

    boolean isStopping() {
        return life.isStopping();
    }

    void ended() {
        if (life.leave()) {
            timers.awaitEnd();
            life.terminate();
        }
    }

    @Override
    public void shutdown() {
        life.shutdown();
        closeEntrances();
        wakeAll();
        if (!isStopping()) {
            timers.cancelPeriodic();
        }
    }

    /** May be called again, and by several threads. */
    private void closeEntrances() {
        if (!closed) {
            lanes.close();
            timers.close();
            queues.close();
            closed = true;
        }
    }

    @Override
    public List<Runnable> shutdownNow() {
        life.stop();
        closeEntrances();
        wakeAll();
        List<Runnable> waiting = new ArrayList<>();
        try {
            // Before the interruption, which ends running tasks: their workers shall find nothing more to begin.
            withdrawAll(waiting);
        } finally {
            workers.interrupt();
            wakeAll();
        }
        return waiting;
    }

    final void withdrawAll(List<Runnable> waiting) {
        queues.withdrawAll(waiting);
        lanes.withdrawAll(waiting);
        timers.withdrawAll(waiting);
    }

    /** Returns whether new tasks are refused for ever: after this has returned true none is accepted. */
    @Override
    public boolean isShutdown() {
        if (!isEnding()) {
            return false;
        }
        // Who ends it may have come no further than to say so.
        closeEntrances();
        return true;
    }

    final boolean isEnding() {
        return life.isEnding();
    }

    @Override
    public boolean isTerminated() {
        return life.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return life.awaitTermination(timeout, unit);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        Objects.requireNonNull(task, "task");
        return accepted(timers.schedule(Executors.callable(task), unit.toNanos(delay), 0), task);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        Objects.requireNonNull(task, "task");
        return accepted(timers.schedule(task, unit.toNanos(delay), 0), task);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long initialDelay, long period, TimeUnit unit) {
        Objects.requireNonNull(task, "task");
        return accepted(timers.schedule(Executors.callable(task), unit.toNanos(initialDelay), positive(period, unit)), task);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initialDelay, long delay, TimeUnit unit) {
        Objects.requireNonNull(task, "task");
        return accepted(timers.schedule(Executors.callable(task), unit.toNanos(initialDelay), -positive(delay, unit)), task);
    }

    private static long positive(long period, TimeUnit unit) {
        if (period <= 0) {
            throw new IllegalArgumentException("a period is positive, not " + period + " " + unit);
        }
        return unit.toNanos(period);
    }

    private <T extends ScheduledFuture<?>> T accepted(@Nullable T future, Object task) {
        if (future == null) {
            rejected.increment();
            throw new RejectedExecutionException(
                    this + (isShutdown() ? " was shut down" : " has no place left for timers") + "; refused: " + task);
        }
        return future;
    }

    /** Returns what this executor has done and has before it. */
    public ExecutorStats stats() {
        return new ExecutorStats(life.living.get(), workers.active(), queues.capacity(), queues.size(), lanes.capacity(), lanes.depth(), timers.capacity(),
                timers.count(), timers.dueCount(), workers.completed(), workers.failed(), rejected.sum(), probe.latency());
    }

    @Override
    public String toString() {
        return "executor '" + name + "'";
    }

    /** Settings of an executor. Methods check their arguments at once and return this builder. */
    public static final class Builder {
        private static final int MAX_WORKERS = 1024;
        private static final int MAX_STRIPES = 64;

        private String name = "executor";
        private int workers = 1;
        private int stripes = 1;
        private int capacity = 1 << 16;
        private int maxTimers = 1 << 22;
        private WaitStrategy waitStrategy = WaitStrategy.parking();
        private RejectionPolicy policy = RejectionPolicy.abort();
        private @Nullable ThreadFactory threadFactory;

        private Builder() {
        }

        /** Sets the name, of which the names of the threads are made. */
        public Builder name(String newName) {
            name = Objects.requireNonNull(newName, "name");
            return this;
        }

        /**
         * Sets the number of threads, from 1 to 1024; unless set, there is one, and tasks run in the order of their submission.
         * A drop-in for a pool has mostly {@code Runtime.getRuntime().availableProcessors()} of them.
         */
        public Builder workers(int count) {
            workers = checked("workers", count, MAX_WORKERS);
            return this;
        }

        /**
         * Sets in how many queues the tasks of each worker wait, from 1 to 64; unless set, in one. With more, submitters do not contend for the end
         * of one queue, and the tasks of one worker run in the order in which each thread has submitted its own; those of different threads run in any
         * order. Each thread keeps to one of the queues, and so has one part of the places.
         */
        public Builder stripes(int count) {
            stripes = checked("stripes", count, MAX_STRIPES);
            return this;
        }

        /**
         * Sets the number of places for waiting tasks, from 1 to 2^30. They are divided evenly among the workers, and each part
         * is rounded up to a power of two.
         *
         * <p>Each task takes a place, for a moment also where workers rest: there is no handing over to a worker that waits. So
         * {@code workers(2).capacity(2)} may refuse the third task of a burst, while a pool with two threads and a queue of two takes
         * four. Let there be as many places as tasks may come at once.
         */
        public Builder capacity(int places) {
            capacity = checked("places", places, 1 << 30);
            return this;
        }

        /** Sets how many delayed and periodic tasks there may be, from 1 to 2^30. */
        public Builder maxTimers(int count) {
            maxTimers = checked("timers", count, 1 << 30);
            return this;
        }

        /** Sets what idle workers do. */
        public Builder waitStrategy(WaitStrategy strategy) {
            waitStrategy = Objects.requireNonNull(strategy, "strategy");
            return this;
        }

        /** Sets what becomes of a task for which there is no place. */
        public Builder rejectionPolicy(RejectionPolicy newPolicy) {
            policy = Objects.requireNonNull(newPolicy, "policy");
            return this;
        }

        /**
         * Sets what makes the threads: pinned ones by a plan, or virtual ones, which neither spin nor yield. Unless set, they are platform threads of
         * normal priority and no daemons, as with {@code Executors.defaultThreadFactory}.
         */
        public Builder threadFactory(ThreadFactory factory) {
            threadFactory = Objects.requireNonNull(factory, "factory");
            return this;
        }

        /** Creates the executor and starts its threads. */
        public LockFreeExecutor build() {
            return new LockFreeExecutor(this);
        }

        private static int checked(String what, int value, int max) {
            if (value < 1 || value > max) {
                throw new IllegalArgumentException("an executor has from 1 to " + max + " " + what + ", not " + value);
            }
            return value;
        }
    }
}
