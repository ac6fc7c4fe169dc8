package io.slipstream.core.sequencer;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.memory.Region;

/**
 * The frames of a ring with any number of publishers. A frame is published by the stamp of the place where it begins.
 */
public final class MultiFrameSequencer extends FrameSequencer {
    private static final int SLOT_SHIFT = Integer.numberOfTrailingZeros(Frame.ALIGNMENT);

    private final MultiSequencer sequencer;

    public MultiFrameSequencer(Region region, boolean isLent) {
        super(region, isLent);
        this.sequencer = new MultiSequencer(capacity, SLOT_SHIFT, this::sizeAt);
        sequencer.closeBy(this::skipLeft);
    }

    @Override
    public Sequencer sequencer() {
        return sequencer;
    }

    @Override
    public long tryClaim(int messageLength) {
        int length = Frame.HEADER_BYTES + messageLength;
        int aligned = Frame.align(length);
        while (true) {
            long start = sequencer.claimed();
            int toEnd = capacity - (int) (start & mask);
            int padding = aligned > toEnd ? toEnd : 0;
            long end = start + padding + aligned;
            if (!sequencer.hasRoom(start, end)) {
                return Sequencer.NO_ROOM;
            }
            if (sequencer.tryAdvance(start, end)) {
                long open = start;
                try {
                    if (padding > 0) {
                        Frame.length(memory, start & mask, -padding);
                        sequencer.publish(start);
                        open += padding;
                    }
                    Frame.length(memory, open & mask, length);
                } catch (StackOverflowError e) {
                    int[] stamps = sequencer.stamps;
                    for (long at = end - Frame.ALIGNMENT; at > open; at -= Frame.ALIGNMENT) {
                        stamps[(int) (at >>> SLOT_SHIFT) & stamps.length - 1] =
                                (int) (at >>> sequencer.lapShift) + 1 ^ MultiSequencer.LEFT;
                    }
                    sequencer.ordered = true;
                    if (sequencer.ordered) {
                        stamps[(int) (open >>> SLOT_SHIFT) & stamps.length - 1] =
                                (int) (open >>> sequencer.lapShift) + 1 ^ MultiSequencer.LEFT;
                    }
                    throw e;
                }
                return open;
            }
            MultiSequencer.backOff();
        }
    }

    /** Makes one to be skipped of all that was left from {@code position} on: one or more claims side by side. */
    private void skipLeft(long position) {
        long end = position + Frame.ALIGNMENT;
        while ((end & mask) != 0 && sequencer.isLeft(end)) {
            end += Frame.ALIGNMENT;
        }
        Frame.length(memory, position & mask, (int) (position - end));
    }

    @Override
    public void publish(long position) {
        sequencer.publish(position);
    }

    @Override
    public void publish(long position, int length, int count) {
        assert isOpen(position) : notOpen(position);
        int stride = Frame.align(length);
        assert Frame.align(Frame.length(memory, position & mask)) == count * stride
                : "claimed " + Frame.length(memory, position & mask) + " bytes at " + position + ", published " + count
                        + " frames of " + length;
        // The first one last: consumers stand before it.
        for (long at = position + (long) (count - 1) * stride; at >= position; at -= stride) {
            Frame.length(memory, at & mask, length);
            sequencer.publish(at);
        }
    }

    @Override
    public void abort(long position) {
        long offset = position & mask;
        Frame.length(memory, offset, -Frame.align(Frame.length(memory, offset)));
        sequencer.publish(position);
    }

    @Override
    public boolean isOpen(long position) {
        return sequencer.isOpen(position, 1);
    }

    @Override
    public boolean isPublished(long position) {
        return sequencer.isPublished(position);
    }

    private long publishedFrom(long from, int most) {
        long end = from;
        while (end - from < most && (sequencer.isPublished(end) || sequencer.closeLeft(end))) {
            end += sizeAt(end);
        }
        return end;
    }

    private int sizeAt(long position) {
        return Frame.size(Frame.length(memory, position & mask));
    }

    @Override
    public RingBarrier newBarrier() {
        return new Barrier(this);
    }

    /** Stays behind the first frame that one of the publishers has claimed and not yet published. */
    public static final class Barrier extends RingBarrier {
        /*
         * Each header is read here and once more when its frame is handled; by then it should still be in the nearest
         * caches.
         */
        private static final int LOOK_AHEAD_BYTES = 1 << 16;

        private final MultiFrameSequencer frames;

        private Barrier(MultiFrameSequencer frames) {
            super(frames.sequencer);
            this.frames = frames;
        }

        @Override
        public long available(long next, int most) {
            return frames.publishedFrom(next, Math.min(most, LOOK_AHEAD_BYTES));
        }

        @Override
        public long endOfAll(long next, int most, long found) {
            return found - next < Math.min(most, LOOK_AHEAD_BYTES) ? found : frames.sequencer.claimed();
        }

        @Override
        public long joinPosition(long oldest) {
            return frames.sequencer.claimed();
        }
    }
}
