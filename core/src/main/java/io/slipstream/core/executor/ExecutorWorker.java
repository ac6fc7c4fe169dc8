package io.slipstream.core.executor;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

import io.slipstream.core.affinity.SpinningThreads;
import io.slipstream.core.thread.WaitStrategy;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/**
 * The loop of one of the executor's threads: a batch of its own queue, one of the lanes and one of the due timers, and
 * when there is nothing in these, the queues of its neighbours; rests when there is nothing at all, and ends when
 * nothing can come any more. While it is busy it looks at one neighbour after each batch, since short tasks may wait
 * there behind a long one.
 */
final class ExecutorWorker extends ExecutorWorkerState.Padded implements Runnable {
    private static final VarHandle COMPLETED = fieldVarHandle(
                    lookup(), "completed", VarHandle.class, ExecutorWorkerState.class, long.class)
            .withInvokeExactBehavior();
    private static final VarHandle FAILED = fieldVarHandle(
                    lookup(), "failed", VarHandle.class, ExecutorWorkerState.class, long.class)
            .withInvokeExactBehavior();
    private static final VarHandle BUSY = fieldVarHandle(
                    lookup(), "busy", VarHandle.class, ExecutorWorkerState.class, boolean.class)
            .withInvokeExactBehavior();
    private static final int TASKS_PER_ROUND = 128;
    private static final int SPINS_PER_LOOK = 512;
    private static final int TASKS_PER_THEFT = 16;
    private static final int TASKS_PER_SAMPLE = 1024;
    private static final int SPINS_BEFORE_THEFT = 2 * SPINS_PER_LOOK;
    private static final int RESTS_A_TRIAL = 64;

    ExecutorWorker(ExecutorCore executor, int number, WaitStrategy strategy, TaskQueues queues) {
        super(executor, number, strategy, queues, strategy.spins() == WaitStrategy.FOREVER ? 1 : SPINS_PER_LOOK);
    }

    /**
     * Sets the thread that runs this, before it starts. A virtual one neither spins nor yields, but lets others have
     * its carrier.
     */
    void thread(Thread newThread) {
        thread = newThread;
        fullSpins = newThread.isVirtual() ? 0 : wholeLooks(strategy.spins());
        spins = fullSpins;
        yields = newThread.isVirtual() ? 0 : strategy.yields();
    }

    private int wholeLooks(int count) {
        return count > WaitStrategy.FOREVER - spinsPerLook ? count : Math.ceilDiv(count, spinsPerLook) * spinsPerLook;
    }

    Thread thread() {
        return Objects.requireNonNull(thread);
    }

    long completed() {
        return (long) COMPLETED.getAcquire((ExecutorWorkerState) this);
    }

    long failed() {
        return (long) FAILED.getAcquire((ExecutorWorkerState) this);
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

    /** Returns whether it runs tasks, or has not yet looked for more since the last one. */
    boolean isBusy() {
        return (boolean) BUSY.getOpaque((ExecutorWorkerState) this);
    }

    /** Only a change is written, as others read the line seldom and this is the way of every task. */
    private void busy(boolean isBusy) {
        if (busy != isBusy) {
            BUSY.setOpaque((ExecutorWorkerState) this, isBusy);
        }
    }

    private void loop() {
        boolean goesOn;
        do {
            goesOn = turn();
        } while (goesOn);
    }

    /** Does what there is to do, or waits for a while; returns false when nothing can come any more. */
    boolean turn() {
        if (round() > 0) {
            if (idleRounds > 0 && !rested) {
                spins = fullSpins;
            }
            rested = false;
            idleRounds = 0;
            sleepNanos = strategy.minSleepNanos();
            return true;
        }
        busy(false);
        if (executor.isDrained()) {
            // Others may rest since before the last task was done.
            executor.wakeAll();
            return false;
        }
        idle();
        return true;
    }

    private int round() {
        int done = 0;
        for (TaskQueue queue : own) {
            done += run(queue, TASKS_PER_ROUND);
        }
        done += runLanes();
        done += runDue();
        if (done == 0) {
            return isIdleForAWhile() ? afterAWhile() : 0;
        }
        if (completed - lookedAt >= TASKS_PER_ROUND) {
            lookedAt = completed;
            afterABatch();
        }
        return done;
    }

    /** Returns how many lanes had a turn. */
    private int runLanes() {
        long begin = completed;
        int turns = 0;
        while (completed - begin < TASKS_PER_ROUND && executor.lanes.runOne(this)) {
            turns++;
        }
        return turns;
    }

    private int runDue() {
        int done = 0;
        Runnable task;
        while (done < TASKS_PER_ROUND && (task = executor.timers.pollDue()) != null) {
            run(task);
            done++;
        }
        return done;
    }

    private void afterABatch() {
        if (completed - sampledAt > TASKS_PER_SAMPLE) {
            sampledAt = completed;
            executor.probe.rearm();
        }
        if (seen.length > 0) {
            lookAtNextNeighbour();
        }
    }

    /** Takes tasks from the neighbour if it has done none since the last look. */
    private void lookAtNextNeighbour() {
        int neighbour = nextNeighbour;
        nextNeighbour = neighbour + 1 < seen.length ? neighbour + 1 : 0;
        long done =
                executor.worker((number + 1 + neighbour) % (seen.length + 1)).completed();
        if (done != seen[neighbour]) {
            seen[neighbour] = done;
            return;
        }
        for (int i = 0; i < own.length; i++) {
            stealFrom(others[neighbour * own.length + i]);
        }
    }

    /** Returns whether this worker has spun and yielded for some time, or is about to rest. */
    private boolean isIdleForAWhile() {
        return idleRounds >= SPINS_BEFORE_THEFT || idleRounds - spins >= yields;
    }

    /**
     * With so few tasks each can be measured. Looking into the neighbours' queues slows them down, so it is not done
     * before this.
     */
    private int afterAWhile() {
        executor.probe.rearm();
        return steal();
    }

    private int steal() {
        for (TaskQueue victim : others) {
            int done = stealFrom(victim);
            if (done > 0) {
                return done;
            }
        }
        return 0;
    }

    private int stealFrom(TaskQueue victim) {
        return victim.isEmpty() ? 0 : run(victim, TASKS_PER_THEFT);
    }

    private int run(TaskQueue queue, int limit) {
        int done = 0;
        Runnable task;
        while (done < limit && (task = queue.relaxedPoll()) != null) {
            run(task);
            done++;
        }
        return done;
    }

    /** Runs one task; what it throws goes to the thread's handler for uncaught exceptions, and the worker goes on. */
    void run(Runnable task) {
        busy(true);
        settleInterruption();
        try {
            task.run();
        } catch (Throwable e) {
            FAILED.setRelease((ExecutorWorkerState) this, failed + 1);
            report(e);
        } finally {
            COMPLETED.setRelease((ExecutorWorkerState) this, completed + 1);
        }
    }

    /**
     * An interruption that was meant for the task before does not reach the next; that of {@code shutdownNow} reaches
     * each.
     */
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

    void released(PlaceCount admission) {
        if (admission.release()) {
            executor.wakeAll();
        }
    }

    private void idle() {
        if (idleRounds < spins) {
            for (int i = Math.min(spinsPerLook, spins - idleRounds); i > 0; i--) {
                countIdleRound();
                Thread.onSpinWait();
            }
        } else if (idleRounds - spins < yields) {
            countIdleRound();
            Thread.yield();
        } else {
            // A set flag would keep the thread from sleeping; the next task gets it back if it is meant for it.
            Thread.interrupted();
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

    /**
     * Spinning before a rest pays only if a task comes while it lasts, which it cannot where its submitter waits for
     * this very processor. So each rest halves the spins before the next one; when a spin has found a task they are all
     * there again, and from time to time they are, to find out.
     */
    private void rest() {
        rested = true;
        spins = ++rests % RESTS_A_TRIAL == 0 ? fullSpins : spins >> 1;
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
