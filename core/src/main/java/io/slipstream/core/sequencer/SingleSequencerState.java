package io.slipstream.core.sequencer;

import org.jspecify.annotations.Nullable;

import java.util.function.LongUnaryOperator;

import io.slipstream.core.sequence.Sequence;

/** What only the publisher uses, on lines of its own; a failure also takes {@code claimable} away. */
public abstract sealed class SingleSequencerState extends Sequencer permits SingleSequencer {
    /** The end of what is published. */
    public final Sequence cursor = new Sequence();

    /** The end of what is claimed. */
    public long next;

    /** The limit, as of the last time that it was raised. */
    public long claimable;

    /** Where the last of those claims ends that were aborted while older ones were open. */
    long abortedUpTo;

    /** Returns the position behind an aborted claim, or the position itself. */
    @Nullable LongUnaryOperator behindAborted;

    /** Bytes of padding in front of the frame at the beginning of the memory, claimed with it and published with it. */
    public int padding;

    /** Position of the newest claim of a frame. */
    public long newest = -1;

    /** Its length, header included; 0 once it was published. */
    public int newestLength;

    /** How far ahead the headers of a ring of frames are cleared. */
    public long cleared;

    public SingleSequencerState(int capacity, int room) {
        super(capacity, room);
    }
}
