package io.slipstream.ipc;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.ipc.slot.Slot;
import java.lang.foreign.MemorySegment;

/**
 * Reads every message of a channel, in place. Publishers wait for it for as long as its process lives, stopped or not,
 * so nothing is overwritten that it has not passed.
 *
 * <p>Owned by one thread. Nothing here allocates.
 */
public final class IpcSubscriber extends IpcReader {
    private static final int MOST_PAUSES = 64;

    private final int releaseBytes;
    private final MemorySegment memory;
    private int handled;

    IpcSubscriber(IpcChannel channel, Slot slot, long start) {
        super(channel, slot);
        this.releaseBytes = frames.capacity() / 8;
        this.memory = channel.region().segment();
        this.next = start;
    }

    @Override
    public int poll(FrameHandler handler, int most) {
        requireOwned();
        long start = next;
        long end = start + frames.capacity();
        int length = frameFrom(start, end);
        if (length == 0) {
            pass(start);
            keepDistance();
            nothingThere();
            return 0;
        }
        int count = 0;
        long released = start;
        try {
            while (length != 0 && count < most) {
                long at = next;
                next = at + Frame.align(length);
                count++;
                int following = count < most ? frameFrom(next, end) : 0;
                handler.onFrame(memory, frames.offset(at), length, following == 0);
                length = following;
                if (at - released >= releaseBytes) {
                    slot.position(at);
                    released = at;
                }
            }
        } finally {
            slot.position(next);
        }
        handled = Math.min(handled + count, MOST_PAUSES);
        return count;
    }

    /**
     * A reader at the heels of a publisher takes from it, with each look, the line that it is writing to. So after n
     * messages the first look in vain is followed by n pauses, {@value #MOST_PAUSES} at most: streams come in batches,
     * and who waits for one message at a time pauses once.
     */
    private void keepDistance() {
        for (int pauses = handled; pauses > 0; pauses--) {
            Thread.onSpinWait();
        }
        handled = 0;
    }

    /** Moves over skipped bytes; returns the length of the frame at the next position, or 0 if there is none. */
    private int frameFrom(long position, long end) {
        long at = position;
        while (at < end) {
            int length = frames.length(at);
            if (length >= 0) {
                next = at;
                return length;
            }
            at -= length;
        }
        next = at;
        return 0;
    }

    private void pass(long start) {
        if (next != start) {
            slot.position(next);
        }
    }
}
