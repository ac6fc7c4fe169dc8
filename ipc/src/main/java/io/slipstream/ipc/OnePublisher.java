package io.slipstream.ipc;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.ipc.file.Layout;
import io.slipstream.ipc.sleep.Bell;
import io.slipstream.ipc.slot.Slot;

/**
 * The only publisher of a channel. A claim is arithmetic on its own fields, and one release of the frame's length
 * publishes it; so a killed publisher leaves nothing that others see, and its successor goes on at the first header
 * that is 0.
 *
 * <p>The header behind a frame must be 0 before the frame is published. The memory ahead is cleared some lines at a
 * time, out of the readers' sight.
 */
final class OnePublisher extends IpcPublisher {
    private static final int MOST_CLEARED_AT_ONCE = 512;

    private final int clearing;
    private long next;
    private long cleared;
    private long landmark;
    private int open;

    OnePublisher(IpcChannel channel, Slot slot, Bell bell, WaitStrategy whileFull) {
        super(channel, slot, bell, whileFull);
        this.clearing = Math.clamp(frames.capacity() / 64, Frame.ALIGNMENT, MOST_CLEARED_AT_ONCE);
        this.next = endOfPublished();
        this.cleared = next;
        region.putLongRelease(Layout.TAIL_AT, next);
    }

    /** The tail is written after the frame, so the former publisher may have been killed between the two. */
    private long endOfPublished() {
        long end = frames.tail();
        long most = end + frames.capacity();
        for (int length; (length = frames.length(end)) != 0 && end < most; ) {
            end += length < 0 ? -length : Frame.align(length);
        }
        return end;
    }

    @Override
    public long tryClaim(int messageLength) {
        int length = checkedFrameLength(messageLength);
        if (open != 0) {
            throw stillOpen(next);
        }
        int aligned = Frame.align(length);
        if ((next & frames.mask()) + aligned > frames.capacity() && !pad()) {
            return NO_ROOM;
        }
        long start = next;
        long end = start + aligned;
        if (!hasRoom(end + Frame.ALIGNMENT)) {
            return NO_ROOM;
        }
        prepare(start, end);
        open = length;
        return start;
    }

    private void prepare(long start, long end) {
        if (end >= cleared) {
            clear(end);
        }
        if (start >= landmark) {
            landmarks.note(start);
            landmark = landmarks.nextPart(start);
        }
    }

    private boolean pad() {
        int bytes = frames.capacity() - (int) (next & frames.mask());
        if (!hasRoom(next + bytes + Frame.ALIGNMENT)) {
            return false;
        }
        prepare(next, next + bytes);
        release(next, -bytes, bytes);
        return true;
    }

    private void clear(long end) {
        long goal = Math.max(end + Frame.ALIGNMENT, Math.min((end & -clearing) + clearing, limit()));
        for (long at = Math.max(end, cleared); at < goal; at += Frame.ALIGNMENT) {
            region.putInt(frames.offset(at), 0);
        }
        cleared = goal;
    }

    private void release(long position, int header, int bytes) {
        region.putIntRelease(frames.offset(position), header);
        next = position + bytes;
        region.putLongRelease(Layout.TAIL_AT, next);
    }

    @Override
    public void publish(long position) {
        int length = open;
        if (length == 0 || position != next) {
            throw notOpen(position);
        }
        open = 0;
        requireOwned();
        release(position, length, Frame.align(length));
        wakeSleepers();
    }

    /** Takes nothing back that anybody could have seen; but the memory ahead has to be cleared anew. */
    @Override
    public void abort(long position) {
        if (open == 0 || position != next) {
            throw notOpen(position);
        }
        open = 0;
        cleared = next;
    }

    @Override
    void abortOpen() {
        open = 0;
    }
}
