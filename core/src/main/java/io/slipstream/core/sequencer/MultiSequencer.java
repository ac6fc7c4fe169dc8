package io.slipstream.core.sequencer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongConsumer;
import java.util.function.LongToIntFunction;

/**
 * The sequencer of a ring with any number of publishers.
 *
 * <p>A claim is one compare-and-set of the tail, made only when there is room. A publisher that loses the race pauses
 * for a moment before it tries again, which lets the winner make a run of claims while it owns the line: constant
 * back-off, after Dice, Hendler and Mirsky, "Lightweight Contention Management for Efficient Compare-and-Swap
 * Operations" (2013).
 *
 * <p>Publication is marked by a stamp, one for each place where an event or frame may begin, that says in which lap it
 * was published there. So publications need no order among themselves, and nothing has to be cleared.
 *
 * <p>A publisher that runs out of stack behind its claim can call nothing any more, be it to publish or to abort. So in
 * its catch block it flips the bit {@link #LEFT} of the stamps, which are its own until then, by an assignment:
 *
 * <pre>{@code
 * stamps[(int) (position >>> slotShift) & stamps.length - 1] = (int) (position >>> lapShift) + 1 ^ LEFT;
 * }</pre>
 *
 * <p>The first one comes last, behind a write and a read of {@link #ordered}. So consumers, who stand before it, find
 * all of the claim left, and pass nothing of it, to be claimed again, whose stamp is still to be written; and what the
 * publisher has written before cannot overtake what others write there next.
 *
 * <p>Whoever comes to such a stamp and would wait there closes that claim.
 */
public final class MultiSequencer extends MultiSequencerState.Padded {
    private static final VarHandle STAMP =
            MethodHandles.arrayElementVarHandle(int[].class).withInvokeExactBehavior();
    private static final int BACKOFF_SPINS = 16;

    /** The bit by which the stamp of what was left differs from that of what was published. */
    public static final int LEFT = Integer.MIN_VALUE;

    /** Creates the sequencer of a ring of events, each of which is a position. */
    public MultiSequencer(int capacity) {
        super(capacity, 0, null);
    }

    /**
     * Creates one where not every position begins something.
     *
     * @param capacity  in positions
     * @param slotShift binary logarithm of the positions between two places where something may begin
     * @param size      tells how far it is from something published to what comes next, or anything if it was
     *                  overwritten
     */
    public MultiSequencer(int capacity, int slotShift, LongToIntFunction size) {
        super(capacity, slotShift, size);
    }

    @Override
    public long tryClaim(int count) {
        while (true) {
            long first = tail.getAcquire();
            long end = first + count;
            if (!hasRoom(first, end)) {
                return NO_ROOM;
            }
            if (tail.compareAndSet(first, end)) {
                return first;
            }
            backOff();
        }
    }

    /** Returns whether a claim that begins at {@code first} may end at {@code end}. */
    public boolean hasRoom(long first, long end) {
        return end <= limit.getAcquire() || raiseLimit(first, end);
    }

    /** Moves the end of what has been claimed from {@code first} to {@code end}, if nobody else has moved it. */
    public boolean tryAdvance(long first, long end) {
        return tail.compareAndSet(first, end);
    }

    /* A virtual thread tries again at once: it must not keep its carrier from others. */
    public static void backOff() {
        int spins = Thread.currentThread().isVirtual() ? 0 : BACKOFF_SPINS;
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void publish(long first, int count) {
        assert isOpen(first, count) : notOpen(first, count);
        for (long position = first + count - 1; position > first; position--) {
            stampRelease(position);
        }
        stampRelease(first);
    }

    /** Makes what begins at {@code position} visible. */
    public void publish(long position) {
        assert isOpen(position, 1) : notOpen(position, 1);
        stampRelease(position);
    }

    /**
     * Returns whether something may begin at {@code first}, and all {@code count} positions from there on are claimed
     * and none is published.
     */
    public boolean isOpen(long first, int count) {
        long claimed = tail.getAcquire();
        // Nobody claims what lies more than a lap beyond an open claim.
        if (count < 1
                || first < Math.max(0, claimed - capacity)
                || first > claimed - count
                || first != (first >>> slotShift) << slotShift) {
            return false;
        }
        for (long position = first; position < first + count; position++) {
            if (isPublished(position)) {
                return false;
            }
        }
        return true;
    }

    /** Says why {@link #isOpen} is false. */
    public String notOpen(long first, int count) {
        long claimed = tail.getAcquire();
        return first < 0 || first > claimed - Math.max(1, count)
                ? "nothing is claimed from " + first + " to "
                        + (Math.min(first, Long.MAX_VALUE - Math.max(0, count)) + count) + ", as claims end at "
                        + claimed
                : count < 1
                        ? "a claim at " + first + " is of at least one event, not " + count
                        : "what was claimed at " + first + " was published already";
    }

    @Override
    public long claimed() {
        return tail.getAcquire();
    }

    @Override
    public long endOfClaims() {
        return claimed();
    }

    /** Returns whether what begins at {@code position} has been published. */
    public boolean isPublished(long position) {
        int[] stamps = this.stamps;
        return (int) STAMP.getAcquire(stamps, slot(position) & (stamps.length - 1)) == stamp(position);
    }

    /** Returns whether what begins at {@code position} was claimed by a publisher that had no stack left to end it. */
    public boolean isLeft(long position) {
        int[] stamps = this.stamps;
        return ((int) STAMP.getAcquire(stamps, slot(position) & (stamps.length - 1)) ^ LEFT) == stamp(position);
    }

    /** Says what makes a position that was left one to be skipped, before it is published; before the first claim. */
    public void closeBy(LongConsumer closer) {
        this.closer = closer;
    }

    /** Closes the claim at {@code position} if it was left; returns whether it was, and is published now. */
    public boolean closeLeft(long position) {
        if (!isLeft(position)) {
            return false;
        }
        endLeft(position);
        return true;
    }

    /* One at a time: what was left stays as it is until it is published here, and is somebody else's at once then. */
    private void endLeft(long position) {
        synchronized (closing) {
            if (isLeft(position)) {
                closer.accept(position);
                stampRelease(position);
            }
        }
    }

    /** Returns the end of the run of published positions from {@code next} on, or of its first {@code most}. */
    public long published(long next, int most) {
        long end = next;
        while (end - next < most && (isPublished(end) || closeLeft(end))) {
            end++;
        }
        return end;
    }

    @Override
    public boolean isAvailable(long position) {
        return isPublished(position);
    }

    @Override
    public long publishedFrom(long from, long goal) {
        if (size == null) {
            return published(from, (int) Math.min(goal - from, capacity));
        }
        long end = from;
        while (end < goal && (isPublished(end) || closeLeft(end))) {
            int size = this.size.applyAsInt(end);
            if (!isStillPublishedUpTo(from)) {
                return from;
            }
            end += size;
        }
        return end;
    }

    @Override
    public RingBarrier newBarrier() {
        return new PublishedBarrier(this);
    }

    private void stampRelease(long position) {
        int[] stamps = this.stamps;
        STAMP.setRelease(stamps, slot(position) & (stamps.length - 1), stamp(position));
    }

    private int slot(long position) {
        return (int) (position >>> slotShift);
    }

    private int stamp(long position) {
        return (int) (position >>> lapShift) + 1;
    }
}
