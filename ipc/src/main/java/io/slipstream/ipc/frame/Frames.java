package io.slipstream.ipc.frame;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.memory.Region;
import io.slipstream.ipc.errors.CorruptChannelException;
import io.slipstream.ipc.file.Layout;

/** The ring of a channel, as a reader sees it. Whatever is read from it was checked before it is returned. */
public abstract class Frames {
    final Region region;
    final int capacity;
    final long mask;
    final long data;

    Frames(Region region, Layout layout) {
        this.region = region;
        this.capacity = layout.capacity();
        this.mask = capacity - 1L;
        this.data = layout.dataOffset();
    }

    public static Frames of(Region region, Layout layout) {
        return layout.manyPublishers() ? new ManyFrames(region, layout) : new OneFrames(region, layout);
    }

    /**
     * Returns the length of the frame that is published at {@code position}; 0 if there is none yet, and negative for
     * bytes to be skipped.
     *
     * @throws CorruptChannelException if no publisher can have written what is there
     */
    public abstract int length(long position);

    /** Returns the owner of a claim at {@code position} that is not published, or -1 if there is none. */
    public abstract int claimOwner(long position);

    /** Returns the memory of the channel. */
    public final Region region() {
        return region;
    }

    /** Returns the bytes of the ring. */
    public final int capacity() {
        return capacity;
    }

    /** Returns what of a position says where in the ring it is. */
    public final long mask() {
        return mask;
    }

    /** Returns where the place of {@code position} is in the file. */
    public final long offset(long position) {
        return data + (position & mask);
    }

    /** Returns {@code length} if a frame of it may begin at {@code position}. */
    public final int checked(long position, int length) {
        long room = capacity - (position & mask);
        boolean possible = length > 0
                ? length >= Frame.HEADER_BYTES && length <= longest() && Frame.align(length) <= room
                : length % Frame.ALIGNMENT == 0 && -(long) length <= room;
        if (!possible) {
            throw new CorruptChannelException(
                    position, "a frame of " + length + " bytes, " + room + " bytes before the end of the ring");
        }
        return length;
    }

    /** Returns the length of the longest frame. */
    public final int longest() {
        return capacity / 2;
    }

    /** Returns a position of the file if it can be one. */
    public static long checkedPosition(long position) {
        if (position < 0 || position % Frame.ALIGNMENT != 0) {
            throw new CorruptChannelException(position, "no frame can begin there");
        }
        return position;
    }

    public final long tail() {
        return checkedPosition(region.getLongAcquire(Layout.TAIL_AT));
    }
}
