package io.slipstream.core.thread;

import io.slipstream.core.affinity.Affinity;
import io.slipstream.core.affinity.CpuSet;
import io.slipstream.core.affinity.PinPlan;
import io.slipstream.core.affinity.SpinningThreads;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs its duties in turn until it is closed or no duty is left.
 *
 * <p>What a duty throws is never silent: it is kept, counted, and told to the listener, and the {@link DutyPolicy} says
 * who goes on. Unless set otherwise every duty then stops, since none should go on beside one that is broken.
 *
 * <p>An interrupt neither ends a worker nor keeps it awake: it is forgotten before the thread sleeps. {@link #close}
 * ends it.
 */
public final class Worker implements AutoCloseable {
    /** The longest sleep in nanoseconds of a worker that nobody was given a signal to wake by. */
    private static final long LONGEST_UNWOKEN_SLEEP_NANOS = 100_000_000;

    private final Signal signal;
    private final WaitStrategy strategy;
    private final Waiter waiter;
    private final DutyCycle cycle;
    private final @Nullable CpuSet cpus;
    private final Thread thread;
    private volatile boolean running = true;

    /**
     * Creates a worker with the usual settings; {@link #start} begins its work.
     *
     * @param name      of the thread
     * @param strategy  what to do when there is nothing to do
     * @param signal    where the worker sleeps; publishers of its duties' input wake it there
     * @param duties    run in this order
     * @param onFailure told on the worker's thread of what a duty has thrown, after the duties were stopped
     */
    public Worker(
            String name,
            WaitStrategy strategy,
            Signal signal,
            List<? extends Duty> duties,
            Consumer<? super Throwable> onFailure) {
        this(new Builder(name, duties).waitStrategy(strategy).signal(signal).onFailure(onFailure));
    }

    private Worker(Builder builder) {
        this.signal = builder.signal != null ? builder.signal : new Signal();
        this.strategy = builder.signal != null
                ? builder.strategy
                : builder.strategy.sleepingAtMost(LONGEST_UNWOKEN_SLEEP_NANOS);
        this.waiter = strategy.newWaiter(signal);
        this.cycle = new DutyCycle(builder.duties, builder.policy, builder.onFailure);
        this.cpus = builder.cpus;
        this.thread = Objects.requireNonNull(builder.factory.newThread(this::run), "the thread factory returned null");
        thread.setName(builder.name);
    }

    /** Returns a builder of a worker of that name with those duties. */
    public static Builder builder(String name, List<? extends Duty> duties) {
        return new Builder(name, duties);
    }

    /**
     * Starts the thread.
     *
     * @throws IllegalStateException if the worker was started before
     */
    public Worker start() {
        try {
            thread.start();
        } catch (IllegalThreadStateException e) {
            throw new IllegalStateException("worker " + thread.getName() + " was started before; make a new one", e);
        }
        return this;
    }

    /** Returns what a duty has thrown last, or null if none has. */
    public @Nullable Throwable failure() {
        return cycle.stats().lastFailure();
    }

    /** Returns what the duties have done, and the longest time that one round took. */
    public DutyStats stats() {
        return cycle.stats();
    }

    /** Returns whether the thread is alive. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Returns whether the calling thread is the worker's own, as in one of its duties. */
    public boolean isCurrentThread() {
        return thread == Thread.currentThread();
    }

    /**
     * Lets the worker end after its current round, and does not wait for that; may be called more than once, by any
     * thread.
     */
    public void stop() {
        endAfterRound();
        signal.wake();
    }

    /** Lets the loop end when it looks next; who calls this wakes the thread after it. */
    void endAfterRound() {
        running = false;
    }

    /**
     * Ends the worker after its current round and waits for the end, unless its own thread calls this; may be called
     * more than once, by any thread.
     */
    @Override
    public void close() {
        stop();
        if (isCurrentThread() || thread.getState() == Thread.State.NEW) {
            return;
        }
        Undisturbed.join(thread);
    }

    private void run() {
        try {
            if (cpus != null) {
                Affinity.pinCurrentThread(cpus);
            }
            if (isSpinning()) {
                try (SpinningThreads.Entry _ = SpinningThreads.enter()) {
                    loop();
                }
            } else {
                loop();
            }
        } catch (Throwable e) {
            cycle.fail(e);
        } finally {
            cycle.close();
        }
    }

    private boolean isSpinning() {
        return !Thread.currentThread().isVirtual()
                && (strategy.spins() == WaitStrategy.FOREVER || strategy.yields() == WaitStrategy.FOREVER);
    }

    private void loop() {
        cycle.start();
        boolean rested = true;
        while (running && cycle.isActive()) {
            int done = rested ? cycle.round() : cycle.roundAfterSpin();
            if (rested) {
                // A set flag would end every sleep at once.
                Thread.interrupted();
            }
            rested = waiter.idle(done);
        }
    }

    /** Settings of a worker. */
    public static final class Builder {
        private final String name;
        private final List<? extends Duty> duties;
        private WaitStrategy strategy = WaitStrategy.parking();
        private @Nullable Signal signal;
        private DutyPolicy policy = DutyPolicy.STOP_ALL;
        private Consumer<? super Throwable> onFailure = failure -> {};
        private ThreadFactory factory =
                Thread.ofPlatform().daemon(false).priority(Thread.NORM_PRIORITY).factory();
        private @Nullable CpuSet cpus;

        private Builder(String name, List<? extends Duty> duties) {
            this.name = Objects.requireNonNull(name, "name");
            this.duties = List.copyOf(duties);
        }

        /** Sets what the worker does when there is nothing to do; it parks unless set otherwise. */
        public Builder waitStrategy(WaitStrategy newStrategy) {
            strategy = Objects.requireNonNull(newStrategy, "strategy");
            return this;
        }

        /**
         * Sets where the worker sleeps; publishers of its duties' input wake it there. Without one nobody can, so the
         * worker then looks for work ten times a second at least.
         */
        public Builder signal(Signal newSignal) {
            signal = Objects.requireNonNull(newSignal, "signal");
            return this;
        }

        /** Sets what becomes of a duty that has thrown. */
        public Builder policy(DutyPolicy newPolicy) {
            policy = Objects.requireNonNull(newPolicy, "policy");
            return this;
        }

        /**
         * Sets who is told on the worker's thread of what a duty has thrown, after the policy was carried out. What the
         * listener throws itself goes to the thread's handler for uncaught exceptions, and the worker goes on as the
         * policy says.
         */
        public Builder onFailure(Consumer<? super Throwable> listener) {
            onFailure = Objects.requireNonNull(listener, "onFailure");
            return this;
        }

        /**
         * Sets what makes the thread, which is otherwise no daemon and has the normal priority; on a virtual one the
         * worker neither spins nor yields.
         */
        public Builder threadFactory(ThreadFactory newFactory) {
            factory = Objects.requireNonNull(newFactory, "factory");
            return this;
        }

        /**
         * Lets the worker run on these CPUs alone, where the system allows it.
         *
         * @throws IllegalArgumentException if the set is empty
         */
        public Builder pinnedTo(CpuSet newCpus) {
            if (newCpus.isEmpty()) {
                throw new IllegalArgumentException("worker " + name + " needs at least one CPU to run on");
            }
            cpus = newCpus;
            return this;
        }

        /**
         * Lets the worker run where {@code plan} puts the thread of that number, counted from 0, where the system
         * allows it.
         *
         * @throws IllegalArgumentException if the plan has no place for it
         */
        public Builder pinnedTo(PinPlan plan, int thread) {
            return pinnedTo(plan.place(thread));
        }

        /** Creates what the worker would do, for a loop of the caller's own; there is no thread, and no waiting. */
        public DutyCycle buildCycle() {
            return new DutyCycle(duties, policy, onFailure);
        }

        /** Creates the worker; {@link Worker#start} begins its work. */
        public Worker build() {
            return new Worker(this);
        }
    }
}
