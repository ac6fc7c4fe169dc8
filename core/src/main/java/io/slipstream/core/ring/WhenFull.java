package io.slipstream.core.ring;

/** What publishing one event or frame does while the ring is full. */
public enum WhenFull {
    /** Waits for room, as the publishers' wait strategy says. */
    WAIT,

    /** Throws {@link RingFullException}. */
    FAIL,

    /** Drops it, counts it ({@link Ring#dropped}) and returns false. */
    DROP_NEWEST
}
