package io.slipstream.ipc;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.ipc.file.Layout;
import io.slipstream.ipc.frame.ManyFrames;
import io.slipstream.ipc.frame.Stamp;
import io.slipstream.ipc.sleep.Bell;
import io.slipstream.ipc.slot.Slot;
import java.util.function.LongPredicate;

/**
 * One of many publishers of a channel.
 *
 * <p>A claim is one compare-and-set of the stamp at the tail, which says how much is taken and by whom; then the tail
 * is moved on, by its owner or by whoever finds it behind. So a publisher that stops anywhere holds no other publisher
 * up, and one that died is known with its hole.
 */
final class ManyPublisher extends IpcPublisher {
    private static final int FIRST_PAUSES = 32;
    private static final int MOST_PAUSES = 512;

    private final ManyFrames ring;
    private final LongPredicate room = this::hasRoom;
    private final long claimAt;
    private long open = -1;
    private int openBytes;
    private long landmark;

    ManyPublisher(IpcChannel channel, Slot slot, Bell bell, WaitStrategy whileFull) {
        super(channel, slot, bell, whileFull);
        this.ring = (ManyFrames) frames;
        this.claimAt = slot.base() + Layout.POSITION_AT;
    }

    @Override
    public long tryClaim(int messageLength) {
        int length = checkedFrameLength(messageLength);
        if (open >= 0) {
            throw stillOpen(open);
        }
        int aligned = Frame.align(length);
        long position = ring.attempt(aligned, slot.index(), claimAt, room);
        for (int pauses = FIRST_PAUSES; position == ManyFrames.AGAIN; pauses = Math.min(2 * pauses, MOST_PAUSES)) {
            backOff(pauses);
            position = ring.attempt(aligned, slot.index(), claimAt, room);
        }
        if (position >= 0) {
            // First, so that it can be aborted if this thread runs out of stack in what follows.
            open = position;
            openBytes = aligned;
            if (position >= landmark) {
                landmarks.note(position);
                landmark = landmarks.nextPart(position);
            }
            region.putInt(frames.offset(position), length);
        }
        return position;
    }

    /**
     * Another publisher was faster. While this one looks away, that one goes on with the lines of the tail and of the
     * stamps in its own cache. A virtual thread tries again at once: it must not keep its carrier from others.
     */
    private static void backOff(int pauses) {
        if (!Thread.currentThread().isVirtual()) {
            for (int i = 0; i < pauses; i++) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void publish(long position) {
        requireOpen(position);
        requireOwned();
        ring.publish(position, openBytes, slot.index());
        open = -1;
        wakeSleepers();
    }

    /** Whoever has taken this for dead has aborted its claim already. */
    @Override
    public void abort(long position) {
        requireOpen(position);
        if (slot.isOwned()) {
            ring.finish(position, Stamp.SKIPPED);
        }
        open = -1;
    }

    private void requireOpen(long position) {
        if (position != open || position < 0) {
            throw notOpen(position);
        }
    }

    @Override
    void abortOpen() {
        if (open >= 0) {
            abort(open);
        }
    }
}
