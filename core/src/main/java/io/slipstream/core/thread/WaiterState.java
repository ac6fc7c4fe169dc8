package io.slipstream.core.thread;

import io.slipstream.core.memory.Padding;

/** The fields of a waiter, between the paddings: its thread writes some of them in each round. */
abstract class WaiterState extends Padding {
    final WaitStrategy strategy;
    final Signal signal;
    int idleRounds;
    long sleepNanos;
    boolean armed;
    boolean began;
    int spins;
    int yields;
    int spinsNextTime;
    int sleeps;

    WaiterState(WaitStrategy strategy, Signal signal) {
        this.strategy = strategy;
        this.signal = signal;
        this.sleepNanos = strategy.minSleepNanos();
    }
}
