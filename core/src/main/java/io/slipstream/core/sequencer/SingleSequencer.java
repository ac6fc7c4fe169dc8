package io.slipstream.core.sequencer;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * The sequencer of a ring with one publisher: claims touch nothing that another thread writes, except when the limit is
 * used up, and a publication is one ordered store.
 *
 * <p>The publisher never reads the cursor, which its consumers poll, and it makes as few stores as it can, because
 * while a consumer holds the line of the cursor they pile up in the processor's store buffer.
 */
public final class SingleSequencer extends SingleSequencerState.Padded {
    private static final VarHandle CLAIMABLE = fieldVarHandle(
                    lookup(), "claimable", VarHandle.class, SingleSequencerState.class, long.class)
            .withInvokeExactBehavior();

    public SingleSequencer(int capacity) {
        this(capacity, capacity);
    }

    /** Creates one that leaves {@code capacity - room} positions free. */
    public SingleSequencer(int capacity, int room) {
        super(capacity, room);
    }

    @Override
    public long tryClaim(int count) {
        long first = next;
        long end = first + count;
        if (end > claimable() && !raiseLimit(first, end)) {
            return NO_ROOM;
        }
        next = end;
        return first;
    }

    @Override
    public void publish(long first, int count) {
        long end = first + count;
        assert isClaimedAndAhead(end) : outOfOrder(first);
        cursor.setRelease(end < abortedUpTo ? endOfAborted(end) : end);
    }

    /** Returns the end of the aborted claims that begin at {@code position}. */
    private long endOfAborted(long position) {
        LongUnaryOperator behind = Objects.requireNonNull(behindAborted);
        long end = position;
        for (long next = behind.applyAsLong(end); next > end && end < abortedUpTo; next = behind.applyAsLong(end)) {
            end = next;
        }
        return end;
    }

    /**
     * Returns whether an older claim than that at {@code first} is open, so that it may not be published yet, even as
     * one to be skipped.
     */
    public boolean isBehindOpenClaim(long first) {
        return first > cursor.getPlain();
    }

    /**
     * Notes that a claim behind an open one was aborted and marked. It is published with what is published before it,
     * which alone may become visible then.
     *
     * @param behind tells the position behind an aborted claim, and returns any other position as it is
     */
    public void defer(long end, LongUnaryOperator behind) {
        abortedUpTo = Math.max(abortedUpTo, end);
        behindAborted = behind;
    }

    private boolean isClaimedAndAhead(long end) {
        return end > cursor.getPlain() && end <= next;
    }

    private String outOfOrder(long first) {
        return "position " + first + " was published out of order: published up to " + cursor.getPlain()
                + ", claimed up to " + next
                + "; a ring for one publisher takes publications in the order of the claims, from one thread at a time";
    }

    /**
     * Takes the newest claim back if it begins at {@code first}; else the claim must be published as one to be skipped.
     *
     * @throws IllegalStateException if it is not claimed, or was published or taken back already
     */
    public boolean takeBack(long first, int count) {
        if (first < cursor.getPlain()) {
            throw new IllegalStateException(
                    "what was claimed at " + first + " was published already, so it cannot be aborted");
        }
        if (first > next - count) {
            throw new IllegalStateException("nothing is claimed from " + first + " to "
                    + (Math.min(first, Long.MAX_VALUE - count) + count) + ", as claims end at " + next
                    + ", so it cannot be aborted; was it aborted already?");
        }
        if (next != first + count) {
            return false;
        }
        next = first;
        return true;
    }

    @Override
    public void limitChanged(long newLimit) {
        long present = claimable();
        // A failure stays, whatever the publisher is doing.
        while (present != NOTHING_ANY_MORE
                && !CLAIMABLE.compareAndSet((SingleSequencerState) this, present, newLimit)) {
            present = claimable();
        }
    }

    private long claimable() {
        return (long) CLAIMABLE.getOpaque((SingleSequencerState) this);
    }

    @Override
    public long claimed() {
        return cursor.getAcquire();
    }

    @Override
    public long endOfClaims() {
        // Not the cursor alone: a frame is seen by its header first, so that its consumer may be ahead of the cursor
        // for a moment.
        return Math.max(next, cursor.getAcquire());
    }

    @Override
    public boolean isAvailable(long position) {
        long end = cursor.getAcquire();
        return position < end && position >= end - capacity;
    }

    @Override
    public long publishedFrom(long from, long goal) {
        return cursor.getAcquire();
    }

    @Override
    public RingBarrier newBarrier() {
        return new SequencesBarrier(this, List.of(cursor));
    }
}
