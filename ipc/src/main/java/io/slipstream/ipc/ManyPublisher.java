package io.slipstream.ipc;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.thread.WaitStrategy;

/**
 * One of many publishers of a channel.
 *
 * <p>A claim is one compare-and-set of the stamp at the tail, which says how much is taken and by whom; then the tail is moved on, by its
 * owner or by whoever finds it behind. So a publisher that stops anywhere holds no other publisher up, and one that died is known with
 * its hole.
 */
final class ManyPublisher extends IpcPublisher {
    private final ManyFrames ring;
    private long open = -1;

    ManyPublisher(IpcChannel channel, Slot slot, WaitStrategy whileFull) {
        super(channel, slot, whileFull);
        this.ring = (ManyFrames) frames;
    }

    @Override
    public long tryClaim(int messageLength) {
        int length = checkedFrameLength(messageLength);
        if (open >= 0) {
            throw stillOpen(open);
        }
        int aligned = Frame.align(length);
        while (true) {
            long start = ring.tail();
            long stamp = ring.stamp(start);
            if (Stamp.isOf(stamp, ring.lap(start))) {
                moveTail(start, start + ring.bytes(start, stamp));
            } else if (start == ring.tail()) {
                // Nobody can have claimed beyond the tail; so this stamp is of an earlier lap, and not of a later one.
                int toEnd = frames.capacity - (int) (start & frames.mask);
                boolean fits = aligned <= toEnd;
                int bytes = fits ? aligned : toEnd;
                if (!hasRoom(start + bytes)) {
                    return NO_ROOM;
                }
                if (take(start, stamp, bytes, fits ? Stamp.CLAIMED : Stamp.SKIPPED) && fits) {
                    region.putInt(frames.offset(start), length);
                    open = start;
                    return start;
                }
            }
        }
    }

    private boolean take(long start, long stamp, int bytes, int phase) {
        slot.position(start);
        if (!region.compareAndSetLong(ring.stampAt(start), stamp, Stamp.of(ring.lap(start), bytes, slot.index(), phase))) {
            return false;
        }
        moveTail(start, start + bytes);
        landmarks.note(start);
        return true;
    }

    private void moveTail(long from, long to) {
        region.compareAndSetLong(Layout.TAIL_AT, from, to);
    }

    @Override
    public void publish(long position) {
        finish(position, Stamp.PUBLISHED);
        wakeSleepers();
    }

    @Override
    public void abort(long position) {
        finish(position, Stamp.SKIPPED);
    }

    private void finish(long position, int phase) {
        if (position != open || position < 0) {
            throw notOpen(position);
        }
        open = -1;
        region.putLongRelease(ring.stampAt(position), Stamp.with(ring.stamp(position), phase));
    }

    @Override
    void abortOpen() {
        if (open >= 0) {
            abort(open);
        }
    }
}
