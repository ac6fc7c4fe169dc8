package io.slipstream.ipc;

import io.slipstream.core.memory.Region;
import io.slipstream.core.frame.Frame;

/** The ring of a channel with many publishers: a {@link Stamp} for each place says whether a frame begins there and is published. */
final class ManyFrames extends Frames implements Holes {
    private static final int STAMP_SHIFT = 3;

    private final long stamps;
    private final int lapShift;

    ManyFrames(Region region, Layout layout) {
        super(region, layout);
        this.stamps = layout.stampsOffset();
        this.lapShift = Integer.numberOfTrailingZeros(capacity);
    }

    long lap(long position) {
        return position >>> lapShift;
    }

    long stampAt(long position) {
        return stamps + ((position & mask) >>> Stamp.UNIT_SHIFT << STAMP_SHIFT);
    }

    long stamp(long position) {
        return region.getLongAcquire(stampAt(position));
    }

    @Override
    int length(long position) {
        long stamp = stamp(position);
        if (!Stamp.isOf(stamp, lap(position)) || Stamp.phase(stamp) == Stamp.CLAIMED) {
            return 0;
        }
        int bytes = bytes(position, stamp);
        if (Stamp.phase(stamp) == Stamp.SKIPPED) {
            return -bytes;
        }
        int length = checked(position, region.getInt(offset(position)));
        if (Frame.align(length) != bytes) {
            throw new CorruptChannelException(position, "a frame of " + length + " bytes in a claim of " + bytes);
        }
        return length;
    }

    /** Returns how many bytes the claim at {@code position} takes. */
    int bytes(long position, long stamp) {
        int bytes = Stamp.bytes(stamp);
        if (bytes == 0) {
            throw new CorruptChannelException(position, "a claim of no bytes");
        }
        checked(position, -bytes);
        return bytes;
    }

    @Override
    int claimOwner(long position) {
        long stamp = stamp(position);
        return Stamp.isOf(stamp, lap(position)) && Stamp.phase(stamp) == Stamp.CLAIMED ? Stamp.owner(stamp) : -1;
    }

    @Override
    public void repair(int owner, long claim) {
        if (claim >= 0 && claim % Frame.ALIGNMENT == 0 && claimOwner(claim) == owner) {
            long stamp = stamp(claim);
            region.compareAndSetLong(stampAt(claim), stamp, Stamp.with(stamp, Stamp.SKIPPED));
        }
    }
}
