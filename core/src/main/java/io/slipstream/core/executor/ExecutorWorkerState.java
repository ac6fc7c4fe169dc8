package io.slipstream.core.executor;

import io.slipstream.core.memory.Padding;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** The fields of a worker, between the paddings: it writes some of them with each task. */
abstract class ExecutorWorkerState extends Padding {
    final Signal signal = new Signal();
    final LockFreeExecutor executor;
    final int number;
    final WaitStrategy strategy;
    final TaskQueue[] own;
    final TaskQueue[] others;
    /** How many tasks each neighbour had done when this worker looked there last, while it was busy itself. */
    final long[] seen;
    /**
     * A worker that looks for every task as it comes takes the cache line away from under the submitter, task by task. Some spins between
     * two looks let a batch come together. Not for one that spins for ever: there a short reaction is worth more.
     */
    final int spinsPerLook;
    @Nullable Thread thread;
    /** What the strategy says, in whole looks; and what is left of that after rests that no spin has spared. */
    int fullSpins;
    int spins;
    int yields;
    int idleRounds;
    int rests;
    /** Whether this worker has rested since it last had a task. */
    boolean rested;
    long sleepNanos;
    long sampledAt;
    long lookedAt;
    int nextNeighbour;
    /** Whether this worker has a task, or has just had one. */
    boolean busy;
    long completed;
    long failed;

    ExecutorWorkerState(LockFreeExecutor executor, int number, WaitStrategy strategy, TaskQueues queues, int spinsPerLook) {
        this.executor = executor;
        this.number = number;
        this.strategy = strategy;
        this.own = queues.of(number);
        this.others = queues.others(number);
        this.seen = new long[others.length / own.length];
        Arrays.fill(seen, -1);
        this.sleepNanos = strategy.minSleepNanos();
        this.spinsPerLook = spinsPerLook;
        this.fullSpins = strategy.spins();
        this.spins = fullSpins;
        this.yields = strategy.yields();
    }
}
