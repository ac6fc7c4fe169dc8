package io.slipstream.core.graph;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.handler.StageListener;
import io.slipstream.core.ring.FrameRing;
import java.lang.foreign.MemorySegment;

/** Walks through the frames of a batch; between them lie padding and aborted claims. */
abstract sealed class FrameWalkingStage extends Stage permits FrameStage, ControlledFrameStage, FrameBatchStage {
    final MemorySegment memory;
    final int mask;

    FrameWalkingStage(FrameRing ring, StageListener listener, StageSettings settings) {
        super(ring, listener, settings);
        this.memory = ring.memory();
        this.mask = ring.capacity() - 1;
    }

    /** Returns the position of the first frame from {@code from} on, or {@code end} or a position behind it. */
    final long nextFrame(long from, long end) {
        long at = from;
        while (at < end) {
            int length = Frame.length(memory, at & mask);
            if (length > 0) {
                break;
            }
            at -= length;
        }
        return at;
    }
}
