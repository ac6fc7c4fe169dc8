package io.slipstream.core.executor;

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
import org.jspecify.annotations.Nullable;

/**
 * What a {@link LockFreeExecutor} does: it puts tasks into queues, lanes and timers, wakes workers for them, and ends.
 * The class that users see is final; proofs put broken parts into this one.
 */
class ExecutorCore extends AbstractExecutorService implements ScheduledExecutorService, BoundedExecutor {
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

    ExecutorCore(LockFreeExecutor.Builder builder) {
        int count = builder.workers;
        this.name = builder.name;
        this.policy = builder.policy;
        this.queues = new TaskQueues(count, builder.stripes, builder.capacity);
        this.life = new Lifecycle(count);
        this.lanes = new KeyLanes(builder.capacity);
        this.submission = new Submission(builder.capacity);
        ThreadFactory factory = builder.threadFactory != null
                ? builder.threadFactory
                : Thread.ofPlatform()
                        .name(count == 1 ? name : name + "-", 0)
                        .daemon(false)
                        .priority(Thread.NORM_PRIORITY)
                        .factory();
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
     * Returns an executor whose tasks run one at a time and in the order of their submission, together with those of
     * every executor that was returned for an equal key. Tasks of different keys run beside each other. All keys
     * together have as many places as was said of the executor itself, beside those. Up to 4,096 keys, and all that
     * have tasks, are remembered; the objects must not change.
     */
    public BoundedExecutor forKey(Object key) {
        return new KeyedExecutor(this, key);
    }

    void reject(Runnable task, BoundedExecutor target) {
        rejected.increment();
        policy.rejected(task, target);
    }

    /**
     * Returns whether waiting for a place is in vain: after shutdown, and for a worker, which would wait for itself.
     */
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
        return isShutdown()
                && queues.isClosed()
                && !hasWork()
                && lanes.depth() == 0
                && timers.isClosed()
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
        return accepted(
                timers.schedule(Executors.callable(task), unit.toNanos(initialDelay), positive(period, unit)), task);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initialDelay, long delay, TimeUnit unit) {
        Objects.requireNonNull(task, "task");
        return accepted(
                timers.schedule(Executors.callable(task), unit.toNanos(initialDelay), -positive(delay, unit)), task);
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
        return new ExecutorStats(
                life.living.get(),
                workers.active(),
                queues.capacity(),
                queues.size(),
                lanes.capacity(),
                lanes.depth(),
                timers.capacity(),
                timers.count(),
                timers.dueCount(),
                workers.completed(),
                workers.failed(),
                rejected.sum(),
                probe.latency());
    }

    @Override
    public String toString() {
        return "executor '" + name + "'";
    }
}
