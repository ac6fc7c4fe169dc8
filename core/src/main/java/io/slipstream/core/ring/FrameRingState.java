package io.slipstream.core.ring;

import io.slipstream.core.memory.Region;
import io.slipstream.core.thread.WaitStrategy;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/** The fields of a ring of frames, between the paddings. */
abstract sealed class FrameRingState extends Ring permits FrameRing {
    final Region region;
    final MemorySegment memory;
    final int capacity;
    final int mask;
    final @Nullable SingleSequencer single;

    FrameRingState(Sequencer sequencer, WaitStrategy publishersWait) {
        super(sequencer, publishersWait);
        this.capacity = sequencer.capacity;
        this.mask = capacity - 1;
        this.single = sequencer instanceof SingleSequencer one ? one : null;
        this.region = Region.allocate(capacity);
        this.memory = region.segment();
    }
}
