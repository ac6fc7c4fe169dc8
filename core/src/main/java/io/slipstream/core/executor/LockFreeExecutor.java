package io.slipstream.core.executor;

import io.slipstream.core.thread.WaitStrategy;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * An {@link java.util.concurrent.ExecutorService} and {@link ScheduledExecutorService} of a fixed number of workers
 * around bounded queues. Submitting and running a task takes no lock. The first delayed task adds a thread that sleeps
 * until one is due.
 *
 * <p>Each worker has a queue. A submitter puts its task into one of them with one compare-and-set, and allocates
 * nothing; a worker that finds its own queue empty takes from the others. Idle workers wait as the {@link WaitStrategy}
 * says; with a parking one they use no processor, and while none of them rests a submitter pays one read for that. With
 * one worker, tasks run in the order in which they were submitted.
 *
 * <p>Who waits for whom, where there is a place for the task:
 * <ul>
 * <li>{@code execute} waits for nobody. Nor do {@code schedule} and cancelling; but the first delayed task starts the
 * thread, under a lock.
 * <li>{@code execute} of a known {@linkplain #forKey key} neither, but for one case: so many keys have come to wait for
 * a worker since one stopped while taking one that its place is the next one, and not free yet. An unknown
 * key locks a part of the map of keys, as does forgetting one while there are more than 4,096.
 * <li>A worker waits for nobody to take a task. The tasks of a queue are taken by one thread at a time, by a right that
 * is tried and never waited for: who finds it taken goes on with something else. So a worker that the system stops in
 * the midst of taking holds up the tasks of that queue until it runs again, and a submitter that is stopped in the
 * midst of {@code execute} those behind its own; other queues go on.
 * <li>With the task of a key in its hands a worker may wait for a moment for the one that adds the next task of that
 * key, replaces one, or takes all back.
 * <li>{@link #tryReplaceOldest}, {@link #shutdownNow} and the thread of the timers wait for a moment for whoever takes
 * from a queue or has the timers; so do {@link #shutdown}, and asking a delayed task for its delay before that counts.
 * </ul>
 * All these moments are a few instructions of the other thread, longer only if the system stops it there;
 * {@code shutdownNow} goes through all tasks in one.
 *
 * <p>The contract is that of the interfaces. What they leave open:
 * <ul>
 * <li>A task for which there is no place goes to the {@link RejectionPolicy}; unless set otherwise that throws. A
 * delayed one for which there is no place is always refused by an exception, since nothing of it waits that could give
 * way.
 * <li>What a task given to {@code execute} throws goes to its thread's handler for uncaught exceptions and is counted;
 * the thread lives on.
 * <li>After {@code shutdown} delayed tasks still run, and periodic ones are cancelled; {@code shutdownNow} hands both
 * back. So does {@code ScheduledThreadPoolExecutor}.
 * <li>A task runs exactly once or is handed back by {@code shutdownNow}; one that is being submitted at that moment is
 * refused, handed back, cancelled if it is delayed, or runs with its thread interrupted.
 * <li>A delayed task never runs early; its tick is 66 microseconds.
 * </ul>
 */
public final class LockFreeExecutor extends ExecutorCore {
    private LockFreeExecutor(Builder builder) {
        super(builder);
    }

    /** Returns a builder with one worker, 65,536 places, a parking wait strategy, and the policy to throw. */
    public static Builder builder() {
        return new Builder();
    }

    /** Settings of an executor. Methods check their arguments at once and return this builder. */
    public static final class Builder {
        private static final int MAX_WORKERS = 1024;
        private static final int MAX_STRIPES = 64;

        String name = "executor";
        int workers = 1;
        int stripes = 1;
        int capacity = 1 << 16;
        int maxTimers = 1 << 22;
        WaitStrategy waitStrategy = WaitStrategy.parking();
        RejectionPolicy policy = RejectionPolicy.abort();

        @Nullable
        ThreadFactory threadFactory;

        private Builder() {}

        /** Sets the name, of which the names of the threads are made. */
        public Builder name(String newName) {
            name = Objects.requireNonNull(newName, "name");
            return this;
        }

        /**
         * Sets the number of threads, from 1 to 1024; unless set, there is one, and tasks run in the order of their
         * submission. A drop-in for a pool has mostly {@code Runtime.getRuntime().availableProcessors()} of them.
         */
        public Builder workers(int count) {
            workers = checked("workers", count, MAX_WORKERS);
            return this;
        }

        /**
         * Sets in how many queues the tasks of each worker wait, from 1 to 64; unless set, in one. With more,
         * submitters do not contend for the end of one queue, and the tasks of one worker run in the order in which
         * each thread has submitted its own; those of different threads run in any order. Each thread keeps to one of
         * the queues, and so has one part of the places.
         */
        public Builder stripes(int count) {
            stripes = checked("stripes", count, MAX_STRIPES);
            return this;
        }

        /**
         * Sets the number of places for waiting tasks, from 1 to 2^30. They are divided evenly among the workers, and
         * each part is rounded up to a power of two.
         *
         * <p>Each task takes a place, for a moment also where workers rest: there is no handing over to a worker that
         * waits. So {@code workers(2).capacity(2)} may refuse the third task of a burst, while a pool with two threads
         * and a queue of two takes four. Let there be as many places as tasks may come at once.
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
         * Sets what makes the threads: pinned ones by a plan, or virtual ones, which neither spin nor yield. Unless
         * set, they are platform threads of normal priority and no daemons, as with
         * {@code Executors.defaultThreadFactory}.
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
