package io.slipstream.core.ring;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameCopier;
import io.slipstream.core.memory.PaddedLong;
import java.lang.invoke.VarHandle;

/**
 * A consumer of frames that never holds publishers up: the oldest frames are overwritten while it lags, and it counts
 * the bytes that it missed.
 *
 * <p>As an {@link EventObserver} does, it reads a length or copies a frame and then makes sure that no publisher was
 * entitled to overwrite it meanwhile. When it was overrun it goes on at one of the older frames that are left, usually
 * in the older half of the ring. So it can lag by about three quarters of the ring, and it sees the newest frame when
 * publishers pause.
 *
 * <p>Owned by one thread. Nothing here allocates.
 */
public final class FrameObserver {
    private final FrameRing ring;
    private final PaddedLong next;
    private final PaddedLong missed = new PaddedLong(0);

    FrameObserver(FrameRing ring) {
        this.ring = ring;
        this.next = new PaddedLong(ring.claimed());
    }

    /** Returns the position of the next frame. */
    public long next() {
        return next.getPlain();
    }

    /** Returns how many bytes of frames, headers and padding included, were overwritten before they could be copied. */
    public long missedBytes() {
        return missed.getPlain();
    }

    /**
     * Copies the next frame to {@code target}.
     *
     * @return whether {@code target} holds a whole frame; if not, nothing new has been published
     */
    public <T> boolean poll(FrameCopier<? super T> copier, T target) {
        while (true) {
            long position = next.getPlain();
            if (!ring.frames.isPublished(position)) {
                if (isOverwritten(position) && goOn(position)) {
                    continue;
                }
                return false;
            }
            long offset = ring.offset(position);
            int length = Frame.length(ring.memory, offset);
            VarHandle.loadLoadFence();
            if (isOverwritten(position)) {
                goOn(position);
            } else if (length < 0) {
                next.setPlain(position - length);
            } else if (copy(copier, target, position, offset, length)) {
                return true;
            }
        }
    }

    private <T> boolean copy(FrameCopier<? super T> copier, T target, long position, long offset, int length) {
        copier.copy(ring.memory, offset, length, target);
        VarHandle.loadLoadFence();
        if (isOverwritten(position)) {
            return false;
        }
        next.setPlain(position + Frame.align(length));
        return true;
    }

    private boolean isOverwritten(long position) {
        return position < ring.sequencer.oldestKept();
    }

    /** Moves to an old frame that is left, or to the newest position; returns false if it stands there already. */
    private boolean goOn(long position) {
        long left = Math.max(position, ring.sequencer.landmarkFrom(ring.sequencer.oldestKept()));
        missed.setPlain(missed.getPlain() + left - position);
        next.setPlain(left);
        return left > position;
    }
}
