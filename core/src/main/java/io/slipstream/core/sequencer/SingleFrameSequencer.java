package io.slipstream.core.sequencer;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.memory.Region;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The frames of a ring with one publisher. The length in a frame's header is also what publishes it:
 *
 * <pre>
 *   0                    claimed, or the place behind the newest claim
 *   length | CLAIMED     claimed before the newest claim
 *   length               published
 *   -bytes               published as bytes to be skipped
 * </pre>
 *
 * <p>So a consumer that waits looks at the very cache line in which its next frame will be, and a short message costs
 * one transfer between the two processors instead of two. For that to be so the publisher touches the line as seldom as
 * it can: the length of the newest claim stays in a field, and the memory ahead is cleared some lines at a time, out of
 * the consumer's sight; room to do so is never given away. The cursor is written too, and read by a consumer only when
 * more than one frame is there.
 */
public final class SingleFrameSequencer extends FrameSequencer {
    private static final VarHandle HEADER =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle().withInvokeExactBehavior();
    private static final int CLAIMED = 1 << 30;
    private static final int MOST_CLEARED_AT_ONCE = 512;

    private final SingleSequencer sequencer;
    private final int clearing;

    public SingleFrameSequencer(Region region, boolean isLent) {
        super(region, isLent);
        this.clearing = Math.clamp(capacity / 64, Frame.ALIGNMENT, MOST_CLEARED_AT_ONCE);
        this.sequencer = new SingleSequencer(capacity, capacity - Frame.ALIGNMENT);
    }

    @Override
    public Sequencer sequencer() {
        return sequencer;
    }

    @Override
    public long tryClaim(int messageLength) {
        int length = Frame.HEADER_BYTES + messageLength;
        int aligned = Frame.align(length);
        SingleSequencer sequencer = this.sequencer;
        long start = sequencer.next;
        if ((start & mask) + aligned > capacity) {
            return claimBehindPadding(length, aligned);
        }
        if (sequencer.tryClaim(aligned) < 0) {
            return Sequencer.NO_ROOM;
        }
        claimed(start, length, aligned);
        return start;
    }

    private long claimBehindPadding(int length, int aligned) {
        long start = sequencer.next;
        int padding = capacity - (int) (start & mask);
        if (sequencer.tryClaim(padding + aligned) < 0) {
            return Sequencer.NO_ROOM;
        }
        // Who reads the memory from its beginning must not take what stood there in the former lap for published.
        Frame.length(memory, 0, 0);
        claimed(start + padding, length, aligned);
        sequencer.padding = padding;
        return start + padding;
    }

    private void claimed(long position, int length, int aligned) {
        if (sequencer.newestLength > 0) {
            Frame.length(memory, sequencer.newest & mask, sequencer.newestLength | CLAIMED);
        }
        sequencer.newest = position;
        sequencer.newestLength = length;
        if (position + aligned >= sequencer.cleared) {
            clear(position + aligned);
        }
    }

    /** Clears the places where a header may be, from {@code end} on and as far as there is room. */
    private void clear(long end) {
        long goal = Math.min((end & -clearing) + clearing, sequencer.limit.getPlain() + Frame.ALIGNMENT);
        // The limit is far below while a failure takes all room away.
        goal = Math.max(goal, end + Frame.ALIGNMENT);
        for (long at = Math.max(end, sequencer.cleared); at < goal; at += Frame.ALIGNMENT) {
            Frame.length(memory, at & mask, 0);
        }
        sequencer.cleared = goal;
    }

    private int claimedLength(long position) {
        if (position == sequencer.newest) {
            int length = sequencer.newestLength;
            sequencer.newestLength = 0;
            return length;
        }
        return Frame.length(memory, position & mask) & ~CLAIMED;
    }

    @Override
    public void publish(long position) {
        assert isOpen(position) : notOpen(position);
        int length = claimedLength(position);
        release(position, length, Frame.align(length));
    }

    @Override
    public void publish(long position, int length, int count) {
        assert isOpen(position) : notOpen(position);
        int bytes = Frame.align(claimedLength(position));
        int stride = Frame.align(length);
        assert bytes == count * stride
                : "claimed " + bytes + " bytes at " + position + ", published " + count + " frames of " + length;
        for (int at = stride; at < bytes; at += stride) {
            Frame.length(memory, (position & mask) + at, length);
        }
        release(position, length, bytes);
    }

    @Override
    public void abort(long position) {
        int aligned = Frame.align(claimedLength(position));
        int padding = (position & mask) == 0 ? sequencer.padding : 0;
        if (sequencer.isBehindOpenClaim(position - padding)) {
            abortBehindOpenClaim(position, aligned, padding);
        } else {
            release(position, -aligned, aligned);
        }
    }

    /** Consumers stand before the open claim, and come here by the headers when it has been published. */
    private void abortBehindOpenClaim(long position, int aligned, int padding) {
        HEADER.setRelease(memory, position & mask, -aligned);
        if (padding > 0) {
            sequencer.padding = 0;
            HEADER.setRelease(memory, (long) (capacity - padding), -padding);
        }
        sequencer.defer(position + aligned, this::behindAborted);
    }

    private long behindAborted(long position) {
        int header = position < sequencer.next ? header(position) : 0;
        return header < 0 ? position - header : position;
    }

    private void release(long position, int header, int bytes) {
        long offset = position & mask;
        int padding = sequencer.padding;
        if (padding > 0 && offset == 0) {
            sequencer.padding = 0;
            Frame.length(memory, 0, header);
            HEADER.setRelease(memory, (long) (capacity - padding), -padding);
            sequencer.publish(position - padding, padding + bytes);
        } else {
            HEADER.setRelease(memory, offset, header);
            sequencer.publish(position, bytes);
        }
    }

    @Override
    public boolean isOpen(long position) {
        return position >= sequencer.claimed()
                && position < sequencer.next
                && position % Frame.ALIGNMENT == 0
                && header(position) >= 0;
    }

    @Override
    public boolean isPublished(long position) {
        return position < sequencer.claimed();
    }

    private int header(long position) {
        return (int) HEADER.getAcquire(memory, position & mask);
    }

    private static boolean isPublished(int header) {
        return header < 0 || (header > 0 && header < CLAIMED);
    }

    @Override
    public RingBarrier newBarrier() {
        return new Barrier(this);
    }

    /** Stays behind the first frame that was not published. */
    public static final class Barrier extends RingBarrier {
        private final SingleFrameSequencer frames;

        private Barrier(SingleFrameSequencer frames) {
            super(frames.sequencer);
            this.frames = frames;
        }

        @Override
        public long available(long next, int most) {
            int header = frames.header(next);
            if (!isPublished(header)) {
                return next;
            }
            long end = next + Frame.size(header);
            return isPublished(frames.header(end)) ? Math.max(end, frames.sequencer.claimed()) : end;
        }

        @Override
        public long joinPosition(long oldest) {
            return frames.sequencer.claimed();
        }
    }
}
