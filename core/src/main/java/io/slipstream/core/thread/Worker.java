package io.slipstream.core.thread;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A thread that runs its duties in turn until it is closed or a duty fails.
 *
 * <p>A duty that throws ends the worker: every duty is stopped, the failure is kept, and the listener is told. So a
 * failure is never silent, and no duty goes on beside one that is broken.
 */
public final class Worker implements AutoCloseable {
    private final Signal signal;
    private final Waiter waiter;
    private final List<Duty> duties;
    private final Consumer<Throwable> onFailure;
    private final Thread thread;
    private volatile boolean running = true;
    private volatile @Nullable Throwable failure;

    /**
     * Creates a worker; {@link #start} begins its work.
     *
     * @param name      of the thread
     * @param strategy  what to do when there is nothing to do
     * @param signal    where the worker sleeps; publishers of its duties' input wake it there
     * @param duties    run in this order
     * @param onFailure told on the worker's thread of what a duty has thrown, after the duties were stopped
     */
    public Worker(String name, WaitStrategy strategy, Signal signal, List<? extends Duty> duties,
                  Consumer<Throwable> onFailure) {
        this.signal = Objects.requireNonNull(signal, "signal");
        this.waiter = strategy.newWaiter(signal);
        this.duties = List.copyOf(duties);
        this.onFailure = Objects.requireNonNull(onFailure, "onFailure");
        this.thread = Thread.ofPlatform().name(name).unstarted(this::run);
    }

    /** Starts the thread. */
    public Worker start() {
        thread.start();
        return this;
    }

    /** Returns what ended this worker, or null if nothing did. */
    public @Nullable Throwable failure() {
        return failure;
    }

    /** Returns whether the thread is alive. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Ends the worker after its current round and waits for the end; may be called more than once, by any thread. */
    @Override
    public void close() {
        running = false;
        signal.wake();
        if (thread == Thread.currentThread() || thread.getState() == Thread.State.NEW) {
            return;
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Throwable thrown = null;
        try {
            for (Duty duty : duties) {
                duty.onStart();
            }
            while (running) {
                int done = 0;
                for (Duty duty : duties) {
                    done += duty.work();
                }
                waiter.idle(done);
            }
        } catch (Throwable e) {
            thrown = e;
        }
        thrown = stopDuties(thrown);
        if (thrown != null) {
            failure = thrown;
            onFailure.accept(thrown);
        }
    }

    private @Nullable Throwable stopDuties(@Nullable Throwable thrown) {
        Throwable first = thrown;
        for (Duty duty : duties) {
            try {
                duty.onStop();
            } catch (Throwable e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        return first;
    }
}
