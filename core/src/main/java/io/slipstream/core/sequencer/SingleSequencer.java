package io.slipstream.core.sequencer;

import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

/**
 * The sequencer of a ring with one publisher: claims touch nothing that another thread writes, except when the limit is
 * used up, and a publication is one ordered store.
 *
 * <p>The publisher never reads the cursor, which its consumers poll, and it makes as few stores as it can, because while
 * a consumer holds the line of the cursor they pile up in the processor's store buffer.
 */
@SuppressWarnings("unused")
public final class SingleSequencer extends SingleSequencerState {
    private static final VarHandle CLAIMABLE = fieldVarHandle(
            lookup(), "claimable", VarHandle.class, SingleSequencerState.class, long.class).withInvokeExactBehavior();

    byte r000, r001, r002, r003, r004, r005, r006, r007, r008, r009, r010, r011, r012, r013, r014, r015;
    byte r016, r017, r018, r019, r020, r021, r022, r023, r024, r025, r026, r027, r028, r029, r030, r031;
    byte r032, r033, r034, r035, r036, r037, r038, r039, r040, r041, r042, r043, r044, r045, r046, r047;
    byte r048, r049, r050, r051, r052, r053, r054, r055, r056, r057, r058, r059, r060, r061, r062, r063;
    byte r064, r065, r066, r067, r068, r069, r070, r071, r072, r073, r074, r075, r076, r077, r078, r079;
    byte r080, r081, r082, r083, r084, r085, r086, r087, r088, r089, r090, r091, r092, r093, r094, r095;
    byte r096, r097, r098, r099, r100, r101, r102, r103, r104, r105, r106, r107, r108, r109, r110, r111;
    byte r112, r113, r114, r115, r116, r117, r118, r119, r120, r121, r122, r123, r124, r125, r126, r127;
    byte r128, r129, r130, r131, r132, r133, r134, r135, r136, r137, r138, r139, r140, r141, r142, r143;

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

    /** Returns whether an older claim than that at {@code first} is open, so that it may not be published yet, even as one to be skipped. */
    public boolean isBehindOpenClaim(long first) {
        return first > cursor.getPlain();
    }

    /**
     * Notes that a claim behind an open one was aborted and marked. It is published with what is published before it, which alone may become
     * visible then.
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
        return "position " + first + " was published out of order: published up to " + cursor.getPlain() + ", claimed up to " + next
                + "; a ring for one publisher takes publications in the order of the claims, from one thread at a time";
    }

    /**
     * Takes the newest claim back if it begins at {@code first}; else the claim must be published as one to be skipped.
     *
     * @throws IllegalStateException if it is not claimed, or was published or taken back already
     */
    public boolean takeBack(long first, int count) {
        if (first < cursor.getPlain()) {
            throw new IllegalStateException("what was claimed at " + first + " was published already, so it cannot be aborted");
        }
        if (first + count > next) {
            throw new IllegalStateException("nothing is claimed from " + first + " to " + (first + count) + ", as claims end at " + next
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
        while (present != NOTHING_ANY_MORE && !CLAIMABLE.compareAndSet((SingleSequencerState) this, present, newLimit)) {
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
        // Not the cursor alone: a frame is seen by its header first, so that its consumer may be ahead of the cursor for a moment.
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
