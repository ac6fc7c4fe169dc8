package io.slipstream.core.graph;

import io.slipstream.core.memory.Padding;

/** What a stage writes with every look and every batch, between the paddings. */
abstract sealed class PaceState extends Padding permits Pace {
    final int slot;
    final int shortBatch;
    int shortBatches;
    int pauses;
    boolean isIdle;
    int stuckRounds;
    long batchEnd;
    long idleSinceNanos;

    PaceState(int slot, int shortBatch) {
        this.slot = slot;
        this.shortBatch = shortBatch;
    }
}
