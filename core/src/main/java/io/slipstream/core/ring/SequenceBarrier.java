package io.slipstream.core.ring;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * How far a consumer may read: as far as was published, or as far as the consumers before it have come.
 *
 * <p>Callable by any thread. What publishers and earlier consumers did up to the returned position is visible to the caller.
 * Some of it may have been aborted: a consumer of its own making asks {@link RingBuffer#isAborted}, or skips frames of a negative
 * length.
 */
public abstract sealed class SequenceBarrier permits SequencesBarrier, PublishedBarrier, SingleFrameSequencer.Barrier,
        MultiFrameSequencer.Barrier, ClosedBarrier {
    private final @Nullable Sequencer owner;

    /** @param owner that of the ring whose positions these are, or null if it is not told */
    SequenceBarrier(@Nullable Sequencer owner) {
        this.owner = owner;
    }

    /** Makes sure that this is not a barrier of another ring than that of {@code sequencer}. */
    final void requireOf(Sequencer sequencer) {
        if (owner != null && owner != sequencer) {
            throw new IllegalArgumentException("a barrier of a ring with capacity " + owner.capacity + " cannot be used with another ring, which has capacity "
                    + sequencer.capacity + "; take one of newBarrier() or asSequenceBarrier() of the ring that is to be consumed");
        }
    }

    /**
     * Returns the end of what may be read from {@code next} on: {@code next} itself, or less, if there is nothing.
     *
     * @param next the position that the consumer stands at
     * @param most looking further than this many positions ahead is a waste; the answer may lie beyond all the same, and
     *             a barrier of its own accord may look less far
     */
    public abstract long available(long next, int most);

    /**
     * Returns the end of all that is there, of which {@link #available} has found what is before {@code found}. Where a barrier stopped
     * looking, that is the end of what is claimed.
     */
    long endOfAll(long next, int most, long found) {
        return found;
    }

    /**
     * Returns the position at which a consumer begins that joins behind this barrier now, while no publisher can overtake it.
     *
     * @param oldest what is before this position may be overwritten already
     */
    abstract long joinPosition(long oldest);

    /** Returns a barrier behind all of {@code sequences}, of whichever ring. */
    static SequenceBarrier of(Sequence... sequences) {
        return new SequencesBarrier(null, List.of(sequences));
    }
}
