package io.slipstream.core.executor;

import io.slipstream.core.affinity.SpinningThreads;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import org.jspecify.annotations.Nullable;

import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

/**
 * The loop of one of the executor's threads: its own queue first, then lanes, due timers, and the queues of its neighbours; rests
 * when there is nothing, and ends when nothing can come any more.
 */
final class ExecutorWorker implements Runnable {
    private static final VarHandle COMPLETED = fieldVarHandle(
            lookup(), "completed", VarHandle.class, ExecutorWorker.class, long.class);
    private static final VarHandle FAILED = fieldVarHandle(
            lookup(), "failed", VarHandle.class, ExecutorWorker.class, long.class);
    private static final int TASKS_PER_ROUND = 128;
    private static final int SPINS_PER_LOOK = 32;
    private static final int TASKS_PER_THEFT = 16;
    private static final int TASKS_PER_SAMPLE = 1024;
    private static final int SPINS_BEFORE_THEFT = 2 * SPINS_PER_LOOK;

    final Signal signal = new Signal();
    private final LockFreeExecutor executor;
    private final int number;
    private final WaitStrategy strategy;
    private final TaskQueue own;
    private final TaskQueue[] queues;
    /**
     * A worker that looks for every task as it comes takes the cache line away from under the submitter, task by task. Some spins between
     * two looks let a batch come together. Not for one that spins for ever: there a short reaction is worth more.
     */
    private final int spinsPerLook;
    private @Nullable Thread thread;
    private int spins;
    private int yields;
    private int idleRounds;
    private long sleepNanos;
    private long sampledAt;
    private long completed;
    private long failed;

    ExecutorWorker(LockFreeExecutor executor, int number, WaitStrategy strategy, TaskQueue[] queues) {
        this.executor = executor;
        this.number = number;
        this.strategy = strategy;
        this.own = queues[number];
        this.queues = queues;
        this.sleepNanos = strategy.minSleepNanos();
        this.spinsPerLook = strategy.spins() == WaitStrategy.FOREVER ? 1 : SPINS_PER_LOOK;
        this.spins = strategy.spins();
        this.yields = strategy.yields();
    }

    /** Sets the thread that runs this, before it starts. A virtual one neither spins nor yields, but lets others have its carrier. */
    void thread(Thread newThread) {
        thread = newThread;
        spins = newThread.isVirtual() ? 0 : strategy.spins();
        yields = newThread.isVirtual() ? 0 : strategy.yields();
    }

    Thread thread() {
        return Objects.requireNonNull(thread);
    }

    long completed() {
        return (long) COMPLETED.getAcquire(this);
    }

    long failed() {
        return (long) FAILED.getAcquire(this);
    }

    @Override
    public void run() {
        try {
            if (spins == WaitStrategy.FOREVER || yields == WaitStrategy.FOREVER) {
                try (SpinningThreads.Entry _ = SpinningThreads.enter()) {
                    loop();
                }
            } else {
                loop();
            }
        } finally {
            executor.ended();
        }
    }

    private void loop() {
        while (true) {
            if (round() > 0) {
                idleRounds = 0;
                sleepNanos = strategy.minSleepNanos();
            } else if (executor.isDrained()) {
                // Others may rest since before the last task was done.
                executor.wakeAll();
                return;
            } else {
                idle();
            }
        }
    }

    private int round() {
        int done = 0;
        Runnable task;
        while (done < TASKS_PER_ROUND && (task = own.relaxedPoll()) != null) {
            run(task);
            done++;
        }
        if (executor.lanes.runOne(this)) {
            done++;
        }
        task = executor.timers.pollDue();
        if (task != null) {
            run(task);
            done++;
        }
        if (done == 0) {
            done = isTimeToSteal() ? steal() : 0;
        } else if (completed - sampledAt > TASKS_PER_SAMPLE) {
            sampledAt = completed;
            executor.probe.rearm();
        }
        return done;
    }

    /** Looking into the neighbours' queues slows them down, so a worker does it only when it was idle for a while, and before it rests. */
    private boolean isTimeToSteal() {
        return idleRounds >= SPINS_BEFORE_THEFT || idleRounds - spins >= yields;
    }

    private int steal() {
        for (int i = 1; i < queues.length; i++) {
            TaskQueue victim = queues[(number + i) % queues.length];
            int done = 0;
            Runnable task;
            while (done < TASKS_PER_THEFT && !victim.isEmpty() && (task = victim.relaxedPoll()) != null) {
                run(task);
                done++;
            }
            if (done > 0) {
                return done;
            }
        }
        return 0;
    }

    /** Runs one task; what it throws goes to the thread's handler for uncaught exceptions, and the worker goes on. */
    void run(Runnable task) {
        settleInterruption();
        try {
            task.run();
        } catch (Throwable e) {
            FAILED.setRelease(this, failed + 1);
            report(e);
        } finally {
            COMPLETED.setRelease(this, completed + 1);
        }
    }

    /** An interruption that was meant for the task before does not reach the next; that of {@code shutdownNow} reaches each. */
    private void settleInterruption() {
        Thread current = thread();
        if (current.isInterrupted() != executor.isStopping()) {
            if (!executor.isStopping() && Thread.interrupted() && !executor.isStopping()) {
                return;
            }
            current.interrupt();
        }
    }

    private void report(Throwable thrown) {
        Thread current = thread();
        try {
            current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
        } catch (Throwable ignored) {
            // As with a thread's own death: what the handler throws has nowhere to go.
        }
    }

    void released(Admission admission) {
        if (admission.release()) {
            executor.wakeAll();
        }
    }

    private void idle() {
        if (idleRounds < spins) {
            for (int i = 0; i < spinsPerLook; i++) {
                countIdleRound();
                Thread.onSpinWait();
            }
        } else if (idleRounds - spins < yields) {
            countIdleRound();
            Thread.yield();
        } else {
            executor.probe.rearm();
            if (strategy.wakeable()) {
                rest();
            } else {
                LockSupport.parkNanos(this, sleepNanos);
                sleepNanos = strategy.longerSleepNanos(sleepNanos);
            }
        }
    }

    private void countIdleRound() {
        if (idleRounds < WaitStrategy.FOREVER - 1) {
            idleRounds++;
        }
    }

    private void rest() {
        // A set flag would keep the thread from sleeping; the next task gets it back if it is meant for it.
        Thread.interrupted();
        executor.idle.enter(number);
        signal.arm();
        if (executor.hasWork() || executor.isDrained() || !executor.idle.contains(number)) {
            signal.disarm();
        } else {
            signal.sleep(strategy.maxSleepNanos());
        }
        executor.idle.leave(number);
    }
}
