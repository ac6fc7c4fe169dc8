package io.slipstream.core.ring;

/** Stays behind the first frame that one of many publishers has claimed and not yet published. */
final class FramesBarrier extends SequenceBarrier {
    private final FrameRing ring;
    private final MultiSequencer sequencer;

    FramesBarrier(FrameRing ring, MultiSequencer sequencer) {
        this.ring = ring;
        this.sequencer = sequencer;
    }

    @Override
    public long available(long next, int most) {
        long end = next;
        while (end - next < most && sequencer.isPublished(end)) {
            int length = Frame.length(ring.memory(), ring.offset(end));
            end += length < 0 ? -length : Frame.align(length);
        }
        return end;
    }
}
