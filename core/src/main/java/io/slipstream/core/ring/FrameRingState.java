package io.slipstream.core.ring;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.sequencer.FrameSequencer;
import io.slipstream.core.thread.WaitStrategy;

import java.lang.foreign.MemorySegment;

/** The fields of a ring of frames, between the paddings. */
abstract sealed class FrameRingState extends Ring permits FrameRing {
    final FrameSequencer frames;
    final MemorySegment memory;
    final int maxMessageLength;
    final int mask;

    FrameRingState(FrameSequencer frames, WaitStrategy publishersWait, WhenFull whenFull) {
        super(frames.sequencer(), publishersWait, whenFull);
        this.frames = frames;
        this.memory = frames.memory;
        this.maxMessageLength = frames.capacity / 2 - Frame.HEADER_BYTES;
        this.mask = frames.mask;
    }
}
