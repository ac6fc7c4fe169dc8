package io.slipstream.ipc.frame;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.memory.Region;
import io.slipstream.ipc.errors.CorruptChannelException;
import io.slipstream.ipc.file.Layout;
import java.util.function.LongPredicate;

/**
 * The ring of a channel with many publishers: a {@link Stamp} for each place says whether a frame begins there and is
 * published.
 */
public final class ManyFrames extends Frames implements Holes {
    public static final long NO_ROOM = -1;
    public static final long AGAIN = -2;

    private static final int STAMP_SHIFT = 3;

    private final long stamps;
    private final int lapShift;

    public ManyFrames(Region region, Layout layout) {
        super(region, layout);
        this.stamps = layout.stampsOffset();
        this.lapShift = Integer.numberOfTrailingZeros(capacity);
    }

    public long lap(long position) {
        return position >>> lapShift;
    }

    public long stampAt(long position) {
        return stamps + ((position & mask) >>> Stamp.UNIT_SHIFT << STAMP_SHIFT);
    }

    public long stamp(long position) {
        return region.getLongAcquire(stampAt(position));
    }

    @Override
    public int length(long position) {
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
    public int bytes(long position, long stamp) {
        int bytes = Stamp.bytes(stamp);
        if (bytes == 0) {
            throw new CorruptChannelException(position, "a claim of no bytes");
        }
        checked(position, -bytes);
        return bytes;
    }

    @Override
    public int claimOwner(long position) {
        long stamp = stamp(position);
        return Stamp.isOf(stamp, lap(position)) && Stamp.phase(stamp) == Stamp.CLAIMED ? Stamp.owner(stamp) : -1;
    }

    /**
     * Tries to claim room at the tail, or to bring the tail nearer to where there is some.
     *
     * @param claimAt where the owner notes what it is about to claim, so that its hole is found if it dies
     * @param room    whether publishers may write up to a position
     * @return the position; {@link #NO_ROOM}, or {@link #AGAIN} if something has changed meanwhile
     */
    public long attempt(int bytes, int owner, long claimAt, LongPredicate room) {
        long start = tail();
        long stamp = stamp(start);
        if (Stamp.isOf(stamp, lap(start))) {
            moveTail(start, start + bytes(start, stamp));
            return AGAIN;
        }
        if (start != tail()) {
            // The stamp may be of a later lap. While the tail is here nobody can have claimed beyond it, so it is of an
            // earlier one.
            return AGAIN;
        }
        int toEnd = capacity - (int) (start & mask);
        boolean fits = bytes <= toEnd;
        int taken = fits ? bytes : toEnd;
        if (!room.test(start + taken)) {
            return NO_ROOM;
        }
        region.putLongRelease(claimAt, start);
        long claimed = Stamp.of(lap(start), taken, owner, fits ? Stamp.CLAIMED : Stamp.SKIPPED);
        if (!region.compareAndSetLong(stampAt(start), stamp, claimed)) {
            return AGAIN;
        }
        moveTail(start, start + taken);
        return fits ? start : AGAIN;
    }

    private void moveTail(long from, long to) {
        region.compareAndSetLong(Layout.TAIL_AT, from, to);
    }

    /**
     * Publishes a claim of the caller's own, without a look at its stamp, whose line a reader may hold at present:
     * {@link #attempt} has written it.
     */
    public void publish(long position, int bytes, int owner) {
        region.putLongRelease(stampAt(position), Stamp.of(lap(position), bytes, owner, Stamp.PUBLISHED));
    }

    /** Ends a claim of the caller's own: publishes it, or skips it. */
    public void finish(long position, int phase) {
        region.putLongRelease(stampAt(position), Stamp.with(stamp(position), phase));
    }

    @Override
    public void repair(int owner, long claim) {
        if (claim < 0 || claim % Frame.ALIGNMENT != 0) {
            return;
        }
        long stamp = stamp(claim);
        if (Stamp.isOf(stamp, lap(claim)) && Stamp.phase(stamp) == Stamp.CLAIMED && Stamp.owner(stamp) == owner) {
            region.compareAndSetLong(stampAt(claim), stamp, Stamp.with(stamp, Stamp.SKIPPED));
        }
    }
}
