package io.slipstream.core.executor;

import io.slipstream.core.memory.Padding;
import org.jspecify.annotations.Nullable;

/** The fields of the probe, between the paddings: each submitter reads its state with each task. */
abstract class LatencyProbeState extends Padding {
    volatile int state;
    @Nullable Runnable task;
    long submitted;
    volatile long samples;
    volatile long waitedNanos;
    volatile long longestWaitNanos;
    volatile long ranNanos;
    volatile long longestRunNanos;
}
