package io.slipstream.core.graph;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequencer.Aborts;

/**
 * What the positions of a ring count: events, each of which takes one, or bytes of frames. All that a stage knows of
 * the kind of its ring is here.
 */
abstract sealed class Slots {
    private Slots() {}

    static Slots of(Ring ring) {
        return ring instanceof RingBuffer<?> events ? new OfEvents(events) : new OfFrames((FrameRing) ring);
    }

    /** Returns the distance between two positions at which something may begin. */
    abstract int step();

    /** Returns whether something that begins from {@code first} to before {@code end} was not aborted. */
    abstract boolean isAnyKept(long first, long end);

    /** Returns the position behind what begins at {@code at}. */
    abstract long behind(long at);

    /**
     * Returns the last position to which what begins before {@code end} may reach.
     *
     * @param published the position behind all that was found
     */
    abstract long reach(long end, long published);

    /** Names what begins at {@code at}. */
    abstract String name(long at);

    /** Names what was handled last, if that ends at {@code end}. */
    abstract String lastBefore(long end);

    private static final class OfEvents extends Slots {
        private final RingBuffer<?> ring;

        OfEvents(RingBuffer<?> ring) {
            this.ring = ring;
        }

        @Override
        int step() {
            return 1;
        }

        @Override
        boolean isAnyKept(long first, long end) {
            Aborts aborts = ring.aborts();
            return !aborts.reach(first) || aborts.lastKept(first, end) >= first;
        }

        @Override
        long behind(long at) {
            return at + 1;
        }

        @Override
        long reach(long end, long published) {
            return end;
        }

        @Override
        String name(long at) {
            return "event " + at;
        }

        @Override
        String lastBefore(long end) {
            return "at event " + (end - 1);
        }
    }

    private static final class OfFrames extends Slots {
        private final FrameRing ring;

        OfFrames(FrameRing ring) {
            this.ring = ring;
        }

        @Override
        int step() {
            return Frame.ALIGNMENT;
        }

        @Override
        boolean isAnyKept(long first, long end) {
            long at = first;
            while (at < end) {
                int length = length(at);
                if (length > 0) {
                    return true;
                }
                at -= length;
            }
            return false;
        }

        @Override
        long behind(long at) {
            return at + Frame.size(length(at));
        }

        /** A batch that was cut short may end inside a frame, which is then handled as a whole. */
        @Override
        long reach(long end, long published) {
            return published;
        }

        private int length(long at) {
            return Frame.length(ring.memory(), ring.offset(at));
        }

        @Override
        String name(long at) {
            return "the frame at " + at;
        }

        @Override
        String lastBefore(long end) {
            return "before position " + end;
        }
    }
}
