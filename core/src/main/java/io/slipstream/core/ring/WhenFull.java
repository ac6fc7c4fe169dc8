package io.slipstream.core.ring;

/** What publishing one event does while the ring is full. */
public enum WhenFull {
    /** Waits for room, as the publishers' wait strategy says. */
    WAIT,

    /** Throws {@link RingFullException}. */
    FAIL,

    /** Drops the event, counts it ({@link Ring#dropped}) and returns false. */
    DROP_NEWEST
}
