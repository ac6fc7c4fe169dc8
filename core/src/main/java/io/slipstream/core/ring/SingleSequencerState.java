package io.slipstream.core.ring;

/** What only the publisher uses, on lines of its own; a failure also takes {@code claimable} away. */
abstract sealed class SingleSequencerState extends Sequencer permits SingleSequencer {
    /** The end of what is published. */
    final Sequence cursor = new Sequence();

    /** The end of what is claimed. */
    long next;

    /** The limit, as of the last time that it was raised. */
    long claimable;

    /** Bytes of padding in front of the frame at the beginning of the memory, claimed with it and published with it. */
    int padding;

    /** Position of the newest claim of a frame. */
    long newest = -1;

    /** Its length, header included; 0 once it was published. */
    int newestLength;

    /** How far ahead the headers of a ring of frames are cleared. */
    long cleared;

    SingleSequencerState(int capacity, int room) {
        super(capacity, room);
    }
}
