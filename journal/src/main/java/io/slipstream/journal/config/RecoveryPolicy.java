package io.slipstream.journal.config;

/** What may be done about an end that is not clean, or about damage. */
public enum RecoveryPolicy {
    /** Cuts a torn tail off, keeps it aside, and goes on; refuses damage to what was durable. */
    TAIL,

    /** Refuses anything but a clean end. */
    STRICT,

    /**
     * Cuts everything off from the first damage on, also what had been durable, and keeps it aside. For the tool alone:
     * a journal cannot be opened with it.
     */
    SALVAGE
}
