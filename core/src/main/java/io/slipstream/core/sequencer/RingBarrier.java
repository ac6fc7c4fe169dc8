package io.slipstream.core.sequencer;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequence.SequenceBarrier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The barrier of a consumer of a ring, which also knows where a consumer may join behind it. */
public abstract sealed class RingBarrier implements SequenceBarrier
        permits SequencesBarrier,
                PublishedBarrier,
                SingleFrameSequencer.Barrier,
                MultiFrameSequencer.Barrier,
                ClosedBarrier {
    private final @Nullable Sequencer owner;

    /** @param owner that of the ring whose positions these are, or null if it is not told */
    RingBarrier(@Nullable Sequencer owner) {
        this.owner = owner;
    }

    /**
     * Returns {@code barrier} as what it is.
     *
     * @throws IllegalArgumentException if it is not of a ring of this library
     */
    public static RingBarrier of(SequenceBarrier barrier) {
        if (barrier instanceof RingBarrier ofRing) {
            return ofRing;
        }
        throw new IllegalArgumentException(
                "a barrier of a " + barrier.getClass().getName()
                        + " belongs to no ring; take one of newBarrier() or "
                        + "asSequenceBarrier() of the ring that is to be consumed");
    }

    /** Makes sure that this is not a barrier of another ring than that of {@code sequencer}. */
    public final void requireOf(Sequencer sequencer) {
        if (owner != null && owner != sequencer) {
            throw new IllegalArgumentException("a barrier of a ring with capacity " + owner.capacity
                    + " cannot be used with another ring, which has capacity " + sequencer.capacity
                    + "; take one of newBarrier() or asSequenceBarrier() of the ring that is to be consumed");
        }
    }

    /**
     * Returns the end of all that is there, of which {@link #available} has found what is before {@code found}. Where a
     * barrier stopped looking, that is the end of what is claimed.
     */
    public long endOfAll(long next, int most, long found) {
        return found;
    }

    /**
     * Returns the position at which a consumer begins that joins behind this barrier now, while no publisher can
     * overtake it.
     *
     * @param oldest what is before this position may be overwritten already
     */
    public abstract long joinPosition(long oldest);

    /** Returns the consumers that this is behind, or none if it is behind the publishers. */
    public List<Sequence> upstream() {
        return List.of();
    }

    /** Returns a barrier behind all of {@code sequences}, of whichever ring. */
    public static RingBarrier of(Sequence... sequences) {
        return new SequencesBarrier(null, List.of(sequences));
    }
}
