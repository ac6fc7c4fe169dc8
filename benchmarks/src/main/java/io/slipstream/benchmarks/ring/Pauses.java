package io.slipstream.benchmarks.ring;

/** Waits as {@code WaitStrategy.yielding()} does, for peers that leave the waiting to their callers. */
final class Pauses {
    private static final int SPINS = 100;

    private Pauses() {}

    /** Waits if {@code workCount} is 0; returns how often in a row that was so. */
    static long after(int workCount, long idleRounds) {
        if (workCount > 0) {
            return 0;
        }
        if (idleRounds < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
        return idleRounds + 1;
    }
}
