package io.slipstream.data;

/** What a commit to files outlives. */
public enum CommitLevel {
    /** The end of the process, however it ends; not a loss of power. */
    PROCESS,

    /** A loss of power, too: all that the commit needs is forced to the device before the call returns. */
    SYNC
}
