package io.slipstream.ipc;

/** Where a party that joins late begins. */
public enum Start {
    /** Behind everything that was published before. */
    NEWEST,

    /** At the oldest message that is still in the ring, give or take a sixty-fourth of it. */
    OLDEST
}
