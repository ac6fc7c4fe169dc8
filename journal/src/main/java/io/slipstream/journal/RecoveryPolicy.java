package io.slipstream.journal;

/** What opening a journal may do about an end that is not clean. Damage to what was durable is refused by both. */
public enum RecoveryPolicy {
    /** Cuts a torn tail off, keeps it aside, and goes on: what an interrupted write leaves behind needs nobody's attention. */
    TAIL,

    /** Refuses anything but a clean end. */
    STRICT
}
